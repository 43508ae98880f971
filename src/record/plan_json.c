// plan_json.c: the member "plan" of a run document.
#include "record/plan_json.h"

#include "base/xalloc.h"
#include "record/run_json.h"

#include <stdio.h>
#include <string.h>

// ---- Writing ----

static void write_workload(const struct workload *workload, struct json_out *out)
{
    const struct workload_description *description = &workload_descriptions[workload->kind];
    json_open(out, '{');
    json_put_member_string(out, "id", workload->id);
    json_put_member_string(out, "kind", description->id);
    json_put_member_integer(out, "version", workload->version);
    if (description->on_tree) {
        json_put_member_integer(out, "files", workload->tree.files);
        json_put_member_integer(out, "file_bytes", workload->tree.file_bytes);
        json_put_member_integer(out, "depth", workload->tree.depth);
        json_put_member_integer(out, "fanout", workload->tree.fanout);
    } else {
        json_put_member_integer(out, "bytes", workload->bytes);
        json_put_member_integer(out, "block_bytes", workload->block_bytes);
    }
    json_put_member_integer(out, "threads", workload->threads);
    json_put_member_string(out, "sync", sync_name(workload->sync));
    json_put_member_string(out, "data", "random");
    json_close(out, '}');
}

void plan_json_write(const struct plan *plan, struct json_out *out)
{
    json_open(out, '{');
    json_put_member_string(out, "profile", plan->profile);
    json_put_member_integer(out, "rounds", plan->rounds);
    json_put_member_integer(out, "warmup_rounds", plan->warmup_rounds);
    json_put_member_string(out, "order", "mirrored");
    json_put_member_integer(out, "seed", plan->seed);
    if (plan->verify_full)
        json_put_member_string(out, "verify", "full");
    if (plan->same_disk)
        json_put_member_boolean(out, "same_disk", true);
    json_key(out, "workloads");
    json_open(out, '[');
    for (size_t i = 0; i < plan->workload_count; i++) {
        json_new_line(out);
        write_workload(&plan->workloads[i], out);
    }
    json_new_line(out);
    json_close(out, ']');
    json_close(out, '}');
}

// ---- Reading ----

static bool read_kind(const struct json_value *value, struct workload *workload, struct error *error)
{
    const char *id = NULL, *kind = NULL, *sync = NULL;
    if (!json_get_string(value, "id", JSON_REQUIRED, &id, error) ||
        !json_get_string(value, "kind", JSON_REQUIRED, &kind, error) ||
        !json_get_string(value, "sync", JSON_OPTIONAL, &sync, error))
        return false;
    workload->kind = workload_kind_by_id(kind);
    if (workload->kind == WORKLOAD_KINDS)
        return json_fail_member(value, "kind", error, "no workload is called \"%s\"", kind);
    if (strlen(id) >= sizeof workload->id)
        return json_fail_member(value, "id", error, "longer than %zu bytes", sizeof workload->id - 1);
    snprintf(workload->id, sizeof workload->id, "%s", id);
    workload->sync = sync ? sync_by_name(sync) : workload_descriptions[workload->kind].sync;
    if (workload->sync == SYNC_COUNT)
        return json_fail_member(value, "sync", error, "\"%s\" is none of none, syncfs, fsync", sync);
    return true;
}

static bool read_workload(const struct json_value *value, struct workload *workload, struct error *error)
{
    *workload = (struct workload){.version = 1, .threads = 1};
    if (!json_be_object(value, error) || !read_kind(value, workload, error) ||
        !json_get_unsigned(value, "version", JSON_OPTIONAL, &workload->version, error) ||
        !json_get_unsigned(value, "threads", JSON_OPTIONAL, &workload->threads, error))
        return false;
    if (!workload_descriptions[workload->kind].on_tree)
        return json_get_integer(value, "bytes", JSON_REQUIRED, RUN_INTEGER_MOST, &workload->bytes, error) &&
               json_get_integer(value, "block_bytes", JSON_REQUIRED, RUN_INTEGER_MOST, &workload->block_bytes,
                                error);
    uint64_t files = 0, file_bytes = 0;
    if (!json_get_integer(value, "files", JSON_REQUIRED, RUN_INTEGER_MOST, &files, error) ||
        !json_get_integer(value, "file_bytes", JSON_REQUIRED, RUN_INTEGER_MOST, &file_bytes, error))
        return false;
    workload->tree = tree_of(files, file_bytes);
    return json_get_unsigned(value, "depth", JSON_OPTIONAL, &workload->tree.depth, error) &&
           json_get_unsigned(value, "fanout", JSON_OPTIONAL, &workload->tree.fanout, error);
}

bool plan_json_read(const struct json_value *value, struct plan *plan, struct error *error)
{
    const char *verify = NULL;
    struct json_value workloads;
    if (!json_get_copy(value, "profile", JSON_REQUIRED, &plan->profile, error) ||
        !json_get_unsigned(value, "rounds", JSON_REQUIRED, &plan->rounds, error) ||
        !json_get_unsigned(value, "warmup_rounds", JSON_REQUIRED, &plan->warmup_rounds, error) ||
        !json_get_integer(value, "seed", JSON_REQUIRED, PLAN_SEED_MOST, &plan->seed, error) ||
        !json_get_string(value, "verify", JSON_OPTIONAL, &verify, error) ||
        !json_get_boolean(value, "same_disk", JSON_OPTIONAL, &plan->same_disk, error) ||
        !json_get_array(value, "workloads", JSON_REQUIRED, &workloads, error))
        return false;
    plan->verify_full = verify && !strcmp(verify, "full");
    size_t count = json_length(&workloads);
    if (count > PLAN_WORKLOADS_MOST)
        return json_fail(&workloads, error, "%zu of them; at most %d can be", count, PLAN_WORKLOADS_MOST);
    plan->workloads = xcalloc(count, sizeof *plan->workloads);
    for (struct json_value item = json_first(&workloads); item.node; item = json_next(&item))
        if (!read_workload(&item, &plan->workloads[plan->workload_count++], error))
            return false;
    return plan_check(plan, error);
}
