// cmd_show.c: the table of a saved run, derived again from its samples.
#include "analysis/disagree.h"
#include "analysis/judge.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/session.h"
#include "record/run_json.h"
#include "record/store.h"

static int show_run(const struct run *run, const struct judgement *stored)
{
    struct judgement judgement;
    judge_run(run, &judgement);
    struct text table = {0}, sentences = {0};
    session_table(run, &judgement, &table);
    disagree_sentences(run, &judgement, stored, &sentences);
    output_lines("note: ", text_string(&sentences));
    int status = output_text(&table, EXIT_DONE);
    text_free(&table);
    text_free(&sentences);
    judgement_release(&judgement);
    return status;
}

static int perform(const struct options *options, int argc, char **argv)
{
    (void)argc, (void)argv;
    const char *name = options->arguments[0];
    struct error error;
    struct text document = {0};
    if (!store_read(options->runs, name, &document, &error)) {
        text_free(&document);
        return report_error(&error, EXIT_DOCUMENT);
    }
    struct run run = {0};
    struct judgement stored = {0};
    int status;
    if (run_json_read(text_string(&document), document.length, &run, &stored, &error)) {
        status = show_run(&run, &stored);
    } else {
        fail_context(&error, "%s", name);
        status = report_error(&error, EXIT_DOCUMENT);
    }
    judgement_release(&stored);
    run_release(&run);
    text_free(&document);
    return status;
}

const struct command command_show = {
    .name = "show",
    .usage = "diskduel show [OPTIONS] RUN",
    .summary = "the table of a saved run once more",
    .examples = "  diskduel show last\n"
                "  diskduel show ./run.json\n"
                "  kubectl exec pod -- diskduel run -o - /workspace /tmp | diskduel show -\n",
    .accepted = OPTIONS_RUNS,
    .least = 1,
    .most = 1,
    .what = "one run: a file, the beginning of an id, last, or -",
    .perform = perform,
};
