// verify.c: reads back what workers wrote, each worker its own files, whose bytes only it can tell.
#include "engine/verify.h"

#include "engine/engine.h"
#include "engine/read_back.h"

static void check_small_file(struct worker *worker, uint64_t item)
{
    const struct job *job = worker->job;
    const struct tree *tree = &job->workload->tree;
    char name[TREE_PATH_SIZE], path[NAME_PATH_SIZE];
    tree_path(tree, item, job->renamed, name);
    worker_tree_path(worker, name, path);
    struct read_back back = {.worker = worker,
                             .content =
                                 content_small(&worker->payload, content_file(job->making, job->batch, item),
                                               item / job->threads, tree_file_bytes(tree, item)),
                             .path = path,
                             .item = item};
    if (!read_back_open(&back, job->treefd, name))
        return;
    bool good = read_back_size(&back, false);
    for (uint64_t offset = 0; good && offset < back.content.size && !worker_halted(worker);
         offset += PAYLOAD_BLOCK)
        good = read_back_block(&back, offset);
    read_back_close(&back);
}

static void check_small_files(struct worker *worker)
{
    const struct job *job = worker->job;
    for (uint64_t item = worker->number; item < job->workload->tree.files && !worker_halted(worker);
         item += job->threads)
        check_small_file(worker, item);
}

static void check_tree(struct task *task, unsigned number, struct check *check)
{
    struct tier *tier = task->tier;
    const struct trees *trees = &tier->trees;
    int treefd = trees_open(tier, number);
    if (treefd < 0) {
        // What can't be opened can't be compared either; that is the finding, and the section goes on.
        check_add(check, &(struct check){.failure = tier->failure});
        tier->failure = (struct failure){0};
        return;
    }
    crew_run(&tier->crew, &(struct job){.workload = &trees->maker,
                                        .threads = trees->maker.threads,
                                        .stages = {check_small_files},
                                        .dirfd = tier_dirfd(tier),
                                        .treefd = treefd,
                                        .batch = number,
                                        .untimed = true,
                                        .renamed = trees->renamed[number],
                                        .making = trees->makings[number]});
    tier->io.calls->close(&tier->io, treefd);
    crew_collect_check(&tier->crew, check);
}

bool verify_goes_on(const struct task *task, const struct check *check)
{
    return !crew_asked(&task->tier->crew) &&
           (check->failure.call == CALL_NONE || check->failure.call == CALL_VERIFY);
}

static void check_measured_trees(struct task *task)
{
    struct tier *tier = task->tier;
    unsigned measured = tier->trees.measured;
    if (tier->null || measured == 0)
        return;
    atomic_store(task->activity, ACTIVITY_VERIFYING);
    task->has_earlier = true;
    task->earlier_sample = tier->trees.sample;
    for (unsigned i = 0; i < measured && verify_goes_on(task, &task->earlier); i++)
        check_tree(task, i, &task->earlier);
    tier->trees.measured = 0;
}

void verify_trees_once(struct task *task)
{
    struct tier *tier = task->tier;
    unsigned measured = tier->trees.measured;
    check_measured_trees(task);
    if (tier->null || tier->trees.count <= measured)
        return;
    atomic_store(task->activity, ACTIVITY_VERIFYING);
    task->has_own = true;
    for (unsigned i = measured; i < tier->trees.count && verify_goes_on(task, &task->own); i++)
        check_tree(task, i, &task->own);
}

bool verify_and_remove_trees(struct task *task)
{
    check_measured_trees(task);
    atomic_store(task->activity, ACTIVITY_REMOVING);
    return trees_remove(task->tier, 0);
}
