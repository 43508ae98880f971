// plan_json.c: the member "plan" of a run document.
#include "record/plan_json.h"

#include "base/xalloc.h"
#include "record/run_json.h"
#include "spec/plan_check.h"

#include <stdio.h>
#include <string.h>

// ---- Writing ----

static void write_tree(const struct tree *tree, struct json_out *out)
{
    json_put_member_integer(out, "files", tree->files);
    json_put_member_integer(out, "file_bytes", tree->file_bytes);
    json_put_member_integer(out, "depth", tree->depth);
    json_put_member_integer(out, "fanout", tree->fanout);
    if (tree->size_count == 0)
        return;
    json_key(out, "sizes");
    json_open(out, '[');
    for (unsigned i = 0; i < tree->size_count; i++) {
        json_open(out, '{');
        json_put_member_integer(out, "share", tree->sizes[i].share);
        json_put_member_integer(out, "bytes", tree->sizes[i].bytes);
        json_close(out, '}');
    }
    json_close(out, ']');
}

static void write_large(const struct workload *workload, struct json_out *out)
{
    json_put_member_integer(out, "bytes", workload->bytes);
    json_put_member_integer(out, "block_bytes", workload->block_bytes);
    if (workload->operations)
        json_put_member_integer(out, "operations", workload->operations);
    if (workload->access != ACCESS_BUFFERED)
        json_put_member_string(out, "access", access_name(workload->access));
    if (workload->instead)
        json_put_member_boolean(out, "instead", true);
}

static void write_workload(const struct workload *workload, struct json_out *out)
{
    json_open(out, '{');
    json_put_member_string(out, "id", workload->id);
    json_put_member_string(out, "kind", workload_descriptions[workload->kind].id);
    json_put_member_integer(out, "version", workload->version);
    if (workload_on_tree(workload))
        write_tree(&workload->tree, out);
    else
        write_large(workload, out);
    if (workload->wait_ns)
        json_put_member_integer(out, "wait_ns", workload->wait_ns);
    if (workload->follow_up)
        json_put_member_boolean(out, "follow_up", true);
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
    if (plan->max_time_ns)
        json_put_member_integer(out, "max_time_ns", plan->max_time_ns);
    if (plan->verify_full)
        json_put_member_string(out, "verify", "full");
    if (plan->same_disk)
        json_put_member_boolean(out, "same_disk", true);
    if (plan->no_follow_up)
        json_put_member_boolean(out, "no_follow_up", true);
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

static bool read_kind(const struct json_value *value, bool imported, struct workload *workload,
                      struct error *error)
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
    if (workload->sync == SYNC_COUNT || (workload->sync == SYNC_MACHINE && !imported))
        return json_fail_member(value, "sync", error, "\"%s\" is none of none, syncfs, fsync", sync);
    return true;
}

static bool read_sizes(const struct json_value *value, struct tree *tree, struct error *error)
{
    struct json_value sizes;
    if (!json_get_array(value, "sizes", JSON_OPTIONAL, &sizes, error))
        return false;
    if (!sizes.node)
        return true;
    if (json_length(&sizes) > TREE_SIZES_MOST)
        return json_fail(&sizes, error, "%zu of them; at most %d can be", json_length(&sizes),
                         TREE_SIZES_MOST);
    for (struct json_value item = json_first(&sizes); item.node; item = json_next(&item)) {
        struct tree_size *size = &tree->sizes[tree->size_count++];
        if (!json_be_object(&item, error) ||
            !json_get_unsigned(&item, "share", JSON_REQUIRED, &size->share, error) ||
            !json_get_integer(&item, "bytes", JSON_REQUIRED, RUN_INTEGER_MOST, &size->bytes, error))
            return false;
    }
    return true;
}

static bool read_tree(const struct json_value *value, struct tree *tree, struct error *error)
{
    uint64_t files = 0, file_bytes = 0;
    if (!json_get_integer(value, "files", JSON_REQUIRED, RUN_INTEGER_MOST, &files, error) ||
        !json_get_integer(value, "file_bytes", JSON_REQUIRED, RUN_INTEGER_MOST, &file_bytes, error))
        return false;
    *tree = tree_of(files, file_bytes);
    return json_get_unsigned(value, "depth", JSON_OPTIONAL, &tree->depth, error) &&
           json_get_unsigned(value, "fanout", JSON_OPTIONAL, &tree->fanout, error) &&
           read_sizes(value, tree, error);
}

static bool read_large(const struct json_value *value, struct workload *workload, struct error *error)
{
    const char *access = NULL;
    enum json_need counted = workload_is_counted(workload) ? JSON_REQUIRED : JSON_OPTIONAL;
    if (!json_get_integer(value, "bytes", JSON_REQUIRED, RUN_INTEGER_MOST, &workload->bytes, error) ||
        !json_get_integer(value, "block_bytes", JSON_REQUIRED, RUN_INTEGER_MOST, &workload->block_bytes,
                          error) ||
        !json_get_integer(value, "operations", counted, RUN_INTEGER_MOST, &workload->operations, error) ||
        !json_get_boolean(value, "instead", JSON_OPTIONAL, &workload->instead, error) ||
        !json_get_string(value, "access", JSON_OPTIONAL, &access, error))
        return false;
    workload->access = access ? access_by_name(access) : ACCESS_BUFFERED;
    if (workload->access == ACCESS_COUNT)
        return json_fail_member(value, "access", error,
                                "\"%s\" is none of buffered, cold, reopened, same-fd, direct", access);
    return true;
}

static bool read_workload(const struct json_value *value, bool imported, struct workload *workload,
                          struct error *error)
{
    *workload = (struct workload){.version = 1, .threads = 1};
    if (!json_be_object(value, error) || !read_kind(value, imported, workload, error) ||
        !json_get_unsigned(value, "version", JSON_OPTIONAL, &workload->version, error) ||
        !json_get_unsigned(value, "threads", JSON_OPTIONAL, &workload->threads, error) ||
        !json_get_integer(value, "wait_ns", JSON_OPTIONAL, RUN_INTEGER_MOST, &workload->wait_ns, error) ||
        !json_get_boolean(value, "follow_up", JSON_OPTIONAL, &workload->follow_up, error))
        return false;
    return workload_on_tree(workload) ? read_tree(value, &workload->tree, error)
                                      : read_large(value, workload, error);
}

bool plan_json_read(const struct json_value *value, bool imported, struct plan *plan, struct error *error)
{
    const char *verify = NULL;
    struct json_value workloads;
    if (!json_get_copy(value, "profile", JSON_REQUIRED, &plan->profile, error) ||
        !json_get_unsigned(value, "rounds", JSON_REQUIRED, &plan->rounds, error) ||
        !json_get_unsigned(value, "warmup_rounds", JSON_REQUIRED, &plan->warmup_rounds, error) ||
        !json_get_integer(value, "seed", JSON_REQUIRED, PLAN_SEED_MOST, &plan->seed, error) ||
        !json_get_integer(value, "max_time_ns", JSON_OPTIONAL, RUN_INTEGER_MOST, &plan->max_time_ns, error) ||
        !json_get_string(value, "verify", JSON_OPTIONAL, &verify, error) ||
        !json_get_boolean(value, "same_disk", JSON_OPTIONAL, &plan->same_disk, error) ||
        !json_get_boolean(value, "no_follow_up", JSON_OPTIONAL, &plan->no_follow_up, error) ||
        !json_get_array(value, "workloads", JSON_REQUIRED, &workloads, error))
        return false;
    plan->verify_full = verify && !strcmp(verify, "full");
    size_t count = json_length(&workloads);
    if (count > PLAN_WORKLOADS_MOST)
        return json_fail(&workloads, error, "%zu of them; at most %d can be", count, PLAN_WORKLOADS_MOST);
    plan->workloads = xcalloc(count, sizeof *plan->workloads);
    for (struct json_value item = json_first(&workloads); item.node; item = json_next(&item))
        if (!read_workload(&item, imported, &plan->workloads[plan->workload_count++], error))
            return false;
    return plan_check(plan, error);
}
