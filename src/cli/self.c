#include "cli/self.h"

#include "analysis/judge.h"
#include "record/run_json.h"
#include "record/store.h"

#include <string.h>

static const struct metric *metric_of(const struct judgement *judgement, const char *id)
{
    for (size_t i = 0; i < judgement->metrics.length; i++)
        if (strcmp(judgement->metrics.rows[i].id, id) == 0)
            return &judgement->metrics.rows[i];
    return NULL;
}

// The interval of A's cost over B's, whichever is slower.
static bool take_ratio(const struct ratio *ratio, struct self_ratio *self)
{
    if (!(ratio->confidence > 0) || !(ratio->low > 0))
        return false;
    bool turned = ratio->comparison == COMPARISON_FASTER;
    self->low = (struct real){true, turned ? 1 / ratio->high : ratio->low};
    self->high = (struct real){true, turned ? 1 / ratio->low : ratio->high};
    return true;
}

static bool take_all(struct run *run, const struct run *of_one_disk, struct error *error)
{
    struct judgement judgement;
    size_t taken = 0;
    judge_run(of_one_disk, &judgement);
    for (size_t i = 0; i < run->plan.workload_count; i++) {
        const struct metric *metric = metric_of(&judgement, run->plan.workloads[i].id);
        taken += metric && take_ratio(&metric->ratio, &run->calibration.self[i]);
    }
    judgement_release(&judgement);
    return taken > 0 || fail(error, "it has no interval of a ratio for any workload of this plan: it needs 5 "
                                    "rounds of the same workloads, and figures that weren't discarded");
}

static bool take(struct run *run, const struct run *of_one_disk, struct error *error)
{
    if (!of_one_disk->shared_why || !of_one_disk->plan.same_disk)
        return fail(error, "it isn't a run of one disk against itself: make one with --same-disk");
    return take_all(run, of_one_disk, error);
}

static enum exit_status read_and_take(struct run *run, const struct text *document, struct error *error)
{
    struct run of_one_disk;
    if (!run_json_read(text_string(document), document->length, &of_one_disk, NULL, error))
        return EXIT_DOCUMENT;
    bool taken = take(run, &of_one_disk, error);
    run_release(&of_one_disk);
    return taken ? EXIT_DONE : EXIT_USAGE;
}

enum exit_status self_take(struct run *run, const char *runs, const char *name, struct error *error)
{
    struct text document = {0};
    enum exit_status status = EXIT_DOCUMENT;
    if (store_read(runs, name, &document, error))
        status = read_and_take(run, &document, error);
    if (status != EXIT_DONE)
        fail_context(error, "--self %s", name);
    text_free(&document);
    return status;
}
