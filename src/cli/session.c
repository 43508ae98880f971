#include "cli/session.h"

#include "analysis/follow_ups.h"
#include "analysis/judge.h"
#include "analysis/page.h"
#include "base/clock.h"
#include "base/xalloc.h"
#include "cli/output.h"
#include "cli/self.h"
#include "engine/disks.h"
#include "engine/host.h"
#include "engine/preflight.h"
#include "engine/system.h"
#include "report/text.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// How long a disk may take to open a directory.
#define ANSWER_NS (UINT64_C(10) * NS_PER_S)

// How long the machine is looked at before a run, to see what others do to it.
#define IDLE_NS (UINT64_C(1) * NS_PER_S)

static void note_argv(struct run *run, int argc, char **argv)
{
    run->argv = xcalloc((size_t)argc + 1, sizeof *run->argv);
    run->argv[run->argc++] = xstrdup("diskduel");
    for (int i = command_by_name(argv[0]) ? 0 : 1; i < argc; i++)
        run->argv[run->argc++] = xstrdup(argv[i]);
}

static void warn(struct session *session, char *warning)
{
    text_printf(&session->notes, "%s\n", warning);
    if (!session->warning)
        session->warning = warning;
    else
        free(warning);
}

static bool open_tiers(struct session *session, const struct tier_name names[], struct error *error)
{
    struct run *run = &session->run;
    for (unsigned i = 0; i < RUN_TIERS_MOST; i++) {
        if (!target_open_within(&names[i], ANSWER_NS, &session->targets[i], &run->tiers[i], error))
            return false;
        run->tier_count = i + 1;
    }
    bool swapped = false;
    if (!target_names(run, names, &swapped, error))
        return false;
    if (swapped)
        warn(session,
             xformat("%s looks like the persistent disk and %s doesn't: name it first if it is the one "
                     "in question",
                     run->tiers[1].path_given, run->tiers[0].path_given));
    return true;
}

static bool check_tiers(struct session *session, struct error *error)
{
    struct run *run = &session->run;
    struct text notes = {0};
    bool good = preflight_memory(run, error) && preflight_shared(run, session->targets, &notes, error) &&
                preflight_room(run, session->targets, &notes, error);
    if (good && run->shared_why) {
        struct text shared = {0};
        run_put_shared(run, &shared);
        warn(session, xstrdup(text_string(&shared)));
        text_free(&shared);
    }
    text_puts(&session->notes, text_string(&notes));
    text_free(&notes);
    return good;
}

// Each worker holds a file and a directory open, what the kernel counts is read from files that stay open,
// and removing what was made needs a few more: a limit that is too low is found now, and not when something
// lies on the disks.
static bool check_file_limit(const struct plan *plan, struct error *error)
{
    enum { APART = 8 + SYSTEM_FILES, EACH = 2, MOST = APART + EACH * PLAN_THREADS_MOST };
    unsigned threads = 1;
    for (size_t i = 0; i < plan->workload_count; i++)
        if (plan->workloads[i].threads > threads)
            threads = plan->workloads[i].threads;
    unsigned wanted = APART + EACH * threads, count = 0;
    int tried[MOST];
    while (count < wanted && (tried[count] = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)) >= 0)
        count++;
    for (unsigned i = 0; i < count; i++)
        close(tried[i]);
    if (count == wanted)
        return true;
    return fail(error,
                "%u thread%s need %u open files more, and the limit allows %u (RLIMIT_NOFILE, ulimit -n)",
                threads, threads == 1 ? "" : "s", wanted, count);
}

// A document on a disk that is being measured is written between the sections, never in one; it is said, in
// the document too.
static void note_document(struct session *session)
{
    struct run *run = &session->run;
    struct text names = {0};
    for (unsigned i = 0; i < run->tier_count; i++) {
        struct run_tier *tier = &run->tiers[i];
        bool holds = !tier->null && disks_same(session->store.folder, session->targets[i].dirfd);
        tier->holds_output = known_flag(holds);
        if (holds)
            text_printf(&names, "%s%s", names.length ? " and " : "", tier->name);
    }
    if (names.length) {
        run_add_event(run, 0,
                      "the document lies on the disk of %s, which is being measured: it is written between "
                      "sections only",
                      text_string(&names));
        text_printf(&session->notes, "%s\n", run->events[run->event_count - 1].text);
    }
    text_free(&names);
}

static bool open_store(struct session *session, const struct options *options, struct error *error)
{
    // With "-" the copy among the runs is kept, since a reader of standard output can go away.
    const char *output = options->output && strcmp(options->output, "-") == 0 ? NULL : options->output;
    session->has_store = store_open(&session->store, options->runs, output, session->run.id, error);
    if (session->has_store)
        note_document(session);
    return session->has_store;
}

static enum exit_status open_all(struct session *session, const struct options *options,
                                 const struct tier_name names[], struct error *error)
{
    if (!plan_make(&options->plan, &session->run.plan, error) || !open_tiers(session, names, error) ||
        !check_tiers(session, error))
        return EXIT_USAGE;
    enum exit_status status =
        options->self ? self_take(&session->run, options->runs, options->self, error) : EXIT_DONE;
    if (status != EXIT_DONE || options->dry_run)
        return status;
    bool ready = check_file_limit(&session->run.plan, error) && open_store(session, options, error);
    return ready ? EXIT_DONE : EXIT_USAGE;
}

enum exit_status session_open(struct session *session, const struct options *options, int argc, char **argv,
                              struct error *error)
{
    *session = (struct session){.store.folder = -1};
    for (unsigned i = 0; i < RUN_TIERS_MOST; i++)
        session->targets[i].dirfd = -1;
    run_begin(&session->run);
    host_look("", &session->run.host);
    note_argv(&session->run, argc, argv);
    session->run.thresholds = options->thresholds;

    struct tier_name names[RUN_TIERS_MOST] = {0};
    bool named = true;
    for (unsigned i = 0; named && i < RUN_TIERS_MOST; i++)
        named = tier_name_parse(options->arguments[i], &names[i], error);
    enum exit_status status = named ? open_all(session, options, names, error) : EXIT_USAGE;
    for (unsigned i = 0; i < RUN_TIERS_MOST; i++)
        tier_name_release(&names[i]);
    return status;
}

bool session_start(struct session *session, bool screen, struct engine **engine, struct error *error)
{
    session->run.screen = known_flag(screen);
    umask(077); // what is made on the disks has modes of its own, whatever the user's umask takes away
    struct engine_setup setup = {
        .run = &session->run,
        .targets = session->targets,
        .store = &session->store,
        .judge = judge_run,
        .ask = follow_ups_wanted,
        .idle_ns = IDLE_NS,
    };
    return engine_start(engine, &setup, error);
}

static bool save_failed(struct engine *engine)
{
    struct engine_look look;
    engine_look(engine, &look);
    return look.save_failed;
}

int session_status(const struct session *session, struct engine *engine)
{
    const struct run *run = &session->run;
    if (run->status == RUN_FAILED || *engine_leftovers(engine) || save_failed(engine))
        return EXIT_DISK;
    for (size_t i = 0; i < run->sample_count; i++)
        if (run->samples[i].status == SAMPLE_FAILED)
            return EXIT_DISK;
    return EXIT_DONE;
}

static void put_leftovers(struct engine *engine, struct text *lines)
{
    const char *leftovers = engine_leftovers(engine);
    if (*leftovers)
        text_printf(lines, "could not be removed; diskduel clean may do it later:\n%s%s", leftovers,
                    leftovers[strlen(leftovers) - 1] == '\n' ? "" : "\n");
}

int session_failed(struct engine *engine, const struct error *error)
{
    struct text lines = {0};
    put_leftovers(engine, &lines);
    report_error(error, EXIT_USAGE);
    output_lines("", text_string(&lines));
    text_free(&lines);
    return EXIT_USAGE;
}

void session_outcome(const struct session *session, struct engine *engine, struct text *lines)
{
    put_leftovers(engine, lines);
    struct error error;
    engine_save_error(engine, &error);
    if (error.text[0])
        text_printf(lines, "not saved: %s\n", error.text);
    else
        text_printf(lines, "saved as %s\n", session->store.path);
}

// A word as a shell reads it back.
static void put_quoted(struct text *text, const char *word)
{
    text_puts(text, "'");
    for (const char *c = word; *c; c++) {
        if (*c == '\'')
            text_puts(text, "'\\''");
        else
            text_append(text, c, 1);
    }
    text_puts(text, "'");
}

void session_abandon(const struct session *session, int status)
{
    const struct run *run = &session->run;
    struct text lines = {0};
    for (unsigned i = 0; i < run->tier_count; i++) {
        if (run->tiers[i].null)
            continue;
        text_printf(&lines, "a directory .diskduel-* may be left in %s; it goes with: diskduel clean ",
                    run->tiers[i].path);
        put_quoted(&lines, run->tiers[i].path);
        text_puts(&lines, "\n");
    }
    output_lines("diskduel: ", text_string(&lines));
    _exit(status);
}

void session_close(struct session *session)
{
    if (session->has_store)
        store_close(&session->store);
    for (unsigned i = 0; i < RUN_TIERS_MOST; i++)
        if (session->targets[i].dirfd >= 0)
            target_close(&session->targets[i]);
    run_release(&session->run);
    free(session->warning);
    text_free(&session->notes);
    *session = (struct session){.store.folder = -1};
}

void session_table(const struct run *run, const struct judgement *judgement, struct text *text)
{
    struct page page;
    page_make(&page, run, judgement);
    report_text(&page, text);
    page_release(&page);
}
