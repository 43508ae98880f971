#include "cli/dry_run.h"

#include "base/text.h"
#include "base/units.h"
#include "cli/output.h"
#include "engine/preflight.h"
#include "spec/schedule.h"
#include "spec/workload.h"

#include <inttypes.h>

static void put_bytes(struct text *out, uint64_t bytes)
{
    char text[UNITS_TEXT_SIZE];
    units_bytes(bytes, text);
    text_puts(out, text);
}

static void print_workload(const struct workload *workload, bool first, struct text *out)
{
    const struct workload_description *description = &workload_descriptions[workload->kind];
    text_printf(out, "%-11s %-15s ", first ? "workloads" : "", workload->id);
    if (description->on_tree) {
        text_printf(out, "%" PRIu64 " files of ", workload->tree.files);
        put_bytes(out, workload->tree.file_bytes);
    } else {
        put_bytes(out, workload->bytes);
        text_puts(out, " in blocks of ");
        put_bytes(out, workload->block_bytes);
    }
    text_printf(out, ", %u thread%s", workload->threads, workload->threads == 1 ? "" : "s");
    if (workload->sync != SYNC_NONE)
        text_printf(out, ", then %s", sync_name(workload->sync));
    text_puts(out, "\n");
}

static void print_plan(const struct run *run, struct text *out)
{
    const struct plan *plan = &run->plan;
    text_printf(out, "%-11s %s, %u round%s%s, seed %" PRIu64 "\n", "plan", plan->profile, plan->rounds,
                plan->rounds == 1 ? "" : "s", plan->warmup_rounds ? " after round 0 (first use)" : "",
                plan->seed);
    for (size_t i = 0; i < plan->workload_count; i++)
        print_workload(&plan->workloads[i], i == 0, out);

    struct schedule schedule;
    schedule_make(&schedule, plan, run->tier_count);
    text_printf(out, "%-11s %zu, the disks in turn\n", "sections", schedule.length);
    schedule_release(&schedule);
}

// A section too short to time is done several times over, which nobody knows beforehand.
static void print_totals(const struct plan *plan, struct text *out)
{
    struct plan_totals totals = plan_total(plan);
    text_puts(out, "\nto each disk, where no section is so short that it has to be repeated\n");
    text_printf(out, "%-11s %" PRIu64 "\n", "operations", totals.ops);
    text_printf(out, "%-11s ", "written");
    put_bytes(out, totals.bytes_written);
    text_printf(out, "\n%-11s %" PRIu64 "\n", "files", totals.files_created);
    text_printf(out, "%-11s ", "at a time");
    put_bytes(out, totals.largest_payload_bytes);
    text_printf(out, " in at most %" PRIu64 " file%s\n", totals.most_files,
                totals.most_files == 1 ? "" : "s");
}

static void print_known(const char *label, const char *value, struct text *out)
{
    text_printf(out, "%-11s ", label);
    text_put_safe(out, value ? value : "unknown", false);
    text_puts(out, "\n");
}

static void print_options(const struct mount *mount, struct text *out)
{
    if (!mount->options || !mount->super_options) {
        print_known("options", mount->options, out);
        return;
    }
    text_printf(out, "%-11s ", "options");
    text_put_safe(out, mount->options, false);
    text_puts(out, "; of the file system: ");
    text_put_safe(out, mount->super_options, false);
    text_puts(out, "\n");
}

static void print_room(const struct target *target, const struct run_tier *tier, struct text *out)
{
    struct room room;
    room_of(target, tier, &room);
    text_printf(out, "%-11s ", "room");
    if (room.has_bytes)
        put_bytes(out, room.bytes);
    else
        text_puts(out, "bytes unknown");
    text_puts(out, room.in_memory ? " of memory, " : ", ");
    if (room.has_files)
        text_printf(out, "%" PRIu64 " files\n", room.files);
    else
        text_puts(out, "files unknown\n");
}

static void print_tier(const struct session *session, unsigned index, struct text *out)
{
    const struct run_tier *tier = &session->run.tiers[index];
    text_puts(out, "\n");
    run_put_tier(&session->run, index, out);
    text_puts(out, "\n");
    if (tier->null) {
        print_known("path", "null:, no disk: every call succeeds and does nothing", out);
        return;
    }
    print_known("path", tier->path, out);
    print_known("type", tier->mount.type, out);
    print_known("source", tier->mount.source, out);
    print_known("mounted on", tier->mount.target, out);
    print_options(&tier->mount, out);
    print_room(&session->targets[index], tier, out);
}

int dry_run_print(const struct session *session)
{
    struct text text = {0};
    print_plan(&session->run, &text);
    print_totals(&session->run.plan, &text);
    for (unsigned i = 0; i < session->run.tier_count; i++)
        print_tier(session, i, &text);
    int status = output_text(&text, EXIT_DONE);
    text_free(&text);
    return status;
}
