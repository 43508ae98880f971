// cmd_run.c: a run without a screen. Progress on standard error, the table on standard output, the document
// where the user wants it.
#include "analysis/judge.h"
#include "base/clock.h"
#include "cli/command.h"
#include "cli/dry_run.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "cli/session.h"
#include "cli/signals.h"
#include "record/run_json.h"

#include <string.h>

#define LOOK_EVERY_NS (UINT64_C(100) * NS_PER_MS)

// Waits for the end, showing how far it is. False where the user wants to go at once. `status` becomes what a
// signal, or a reader that went away, makes of the exit status.
static bool watch(const struct session *session, struct engine *engine, struct signals *signals, int *status)
{
    struct progress_line line;
    progress_line_open(&line);
    bool stopping = false;
    while (!engine_wait(engine, LOOK_EVERY_NS)) {
        signals_read(signals, NULL);
        struct engine_look look;
        engine_look(engine, &look);
        bool heard = progress_line_show(&line, &session->run, &look);
        if (!heard && !signals->ending)
            *status = EXIT_READER_GONE;
        if (signals->ending)
            *status = EXIT_SIGNAL_BASE + signals->ending;
        if (*status != EXIT_DONE && !stopping) {
            engine_stop(engine);
            progress_line_clear(&line);
            output_lines("", "stopping after the operations in flight; a second signal leaves at once\n");
        }
        stopping = *status != EXIT_DONE;
        if (signals->twice) {
            progress_line_clear(&line);
            return false;
        }
    }
    progress_line_clear(&line);
    return true;
}

static int print_document(const struct run *run, const struct judgement *judgement, int status)
{
    struct text document = {0};
    run_json_write(run, judgement, &document);
    status = output_text(&document, status);
    text_free(&document);
    return status;
}

static int finish(const struct session *session, struct engine *engine, const struct options *options,
                  int status)
{
    struct judgement judgement;
    judge_run(&session->run, &judgement);
    struct text table = {0}, outcome = {0};
    session_table(&session->run, &judgement, &table);
    session_outcome(session, engine, &outcome);
    if (status == EXIT_DONE)
        status = session_status(session, engine);
    if (options->output && strcmp(options->output, "-") == 0) {
        output_lines("", text_string(&table));
        status = print_document(&session->run, &judgement, status);
    } else {
        status = output_text(&table, status);
    }
    if (status != EXIT_READER_GONE)
        output_lines("", text_string(&outcome));
    judgement_release(&judgement);
    text_free(&table);
    text_free(&outcome);
    return status;
}

static int measure(struct session *session, const struct options *options)
{
    struct error error;
    struct signals signals;
    if (!signals_open(&signals, false, &error))
        return report_error(&error, EXIT_USAGE);
    struct engine *engine;
    if (!session_start(session, false, &engine, &error)) {
        signals_close(&signals);
        return report_error(&error, EXIT_USAGE);
    }
    int status = EXIT_DONE;
    if (!watch(session, engine, &signals, &status))
        session_abandon(session, status);
    if (engine_failed(engine, &error))
        status = session_failed(engine, &error);
    else
        status = finish(session, engine, options, status);
    engine_free(engine);
    signals_close(&signals);
    return status;
}

static int perform(const struct options *options, int argc, char **argv)
{
    struct session session;
    struct error error;
    enum exit_status opened = session_open(&session, options, argc, argv, &error);
    if (opened != EXIT_DONE) {
        session_close(&session);
        return report_error(&error, opened);
    }
    output_lines("note: ", text_string(&session.notes));
    int status;
    if (options->dry_run)
        status = dry_run_print(&session);
    else
        status = measure(&session, options);
    session_close(&session);
    return status;
}

const struct command command_run = {
    .name = "run",
    .usage = "diskduel run [OPTIONS] A B",
    .summary = "measure without a screen, for scripts",
    .examples = "  diskduel run /workspace /tmp\n"
                "  diskduel run -p quick -o run.json mine=/mnt/a other=/mnt/b\n"
                "  diskduel run -w seq-write --sizes 64MiB,1GiB -t 4 . /var/tmp\n",
    .accepted = OPTIONS_PLAN | OPTIONS_RUNS | OPTIONS_OUTPUT,
    .least = 2,
    .most = 2,
    .what = "two directories, A and B",
    .perform = perform,
};
