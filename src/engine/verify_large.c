// verify_large.c: which blocks of large files are read back, and what they must hold.
#include "engine/verify_large.h"

#include "base/units.h"
#include "base/xalloc.h"
#include "engine/draw.h"
#include "engine/engine.h"
#include "engine/files.h"
#include "engine/read_back.h"
#include "engine/verify.h"

#include <stdlib.h>

static uint64_t blocks_of(uint64_t bytes)
{
    return bytes / PAYLOAD_BLOCK + (bytes % PAYLOAD_BLOCK != 0);
}

// Reads back a spread of an open file's blocks, or all; `block_bytes` is what the workload moves at a time.
static void check_spread(struct read_back *back, uint64_t block_bytes)
{
    const struct worker *worker = back->worker;
    const struct job *job = worker->job;
    uint64_t blocks = blocks_of(back->content.size);
    uint64_t looks = job->verify_full || blocks < VERIFY_SPREAD ? blocks : VERIFY_SPREAD;
    for (uint64_t look = 0; look < looks && !worker_halted(worker); look++) {
        uint64_t block = looks == blocks ? look : look * (blocks - 1) / (looks - 1);
        uint64_t offset = block * PAYLOAD_BLOCK;
        back->item = offset / block_bytes * job->threads + worker->number;
        if (!read_back_block(back, offset))
            return;
    }
}

// ---- What was written in sequence ----

static void check_file(struct worker *worker, const char *name, const struct content *content)
{
    struct read_back back = {.worker = worker, .content = *content, .path = name, .item = worker->number};
    if (!read_back_open(&back, worker->job->dirfd, name))
        return;
    if (read_back_size(&back, true))
        check_spread(&back, worker->job->workload->block_bytes);
    read_back_close(&back);
}

static void check_sequential(struct worker *worker)
{
    const struct job *job = worker->job;
    const struct workload *workload = job->workload;
    char name[NAME_SIZE];
    name_sequential(job->batch, worker->number, name);
    struct content content = content_sequential(
        &worker->payload, content_file(job->making, job->batch, worker->number), workload->block_bytes,
        files_share(workload->bytes, workload->block_bytes, workload->threads, worker->number));
    check_file(worker, name, &content);
}

static void check_log(struct worker *worker)
{
    const struct job *job = worker->job;
    const struct workload *workload = job->workload;
    char name[NAME_SIZE];
    name_log(job->batch, worker->number, name);
    struct content content = content_sequential(
        &worker->payload, content_file(job->making, job->batch, worker->number), workload->block_bytes,
        files_share(workload->bytes, workload->block_bytes, workload->threads, worker->number));
    check_file(worker, name, &content);
}

static void check_laid_out(struct worker *worker)
{
    char name[NAME_SIZE];
    name_large(worker->number, name);
    struct content content = files_content(worker);
    check_file(worker, name, &content);
}

// ---- What was written at random ----

// Notes by block which batch wrote it last, counted from 1; 0: none did.
static unsigned *last_writes(const struct worker *worker, uint64_t blocks)
{
    const struct job *job = worker->job;
    const struct workload *workload = job->workload;
    unsigned *last = xcalloc(blocks, sizeof *last);
    for (unsigned batch = 0; batch < job->batch; batch++)
        for (uint64_t item = worker->number; item < workload->operations; item += job->threads)
            last[draw_below(job->draw, batch, item, blocks)] = batch + 1;
    return last;
}

static bool check_random_block(struct read_back *back, const struct content *layout, uint64_t block,
                               unsigned written)
{
    const struct worker *worker = back->worker;
    const struct job *job = worker->job;
    uint64_t block_bytes = job->workload->block_bytes;
    back->item = block;
    back->content = *layout;
    if (written > 0)
        back->content = content_over(&worker->payload, content_file(job->making, written - 1, worker->number),
                                     block_bytes, layout->size);
    for (uint64_t at = 0; at < block_bytes; at += PAYLOAD_BLOCK)
        if (!read_back_block(back, block * block_bytes + at))
            return false;
    return true;
}

// Here the job's batch is the number of batches.
static void check_random_writes(struct worker *worker)
{
    const struct job *job = worker->job;
    struct content layout = files_content(worker);
    uint64_t blocks = layout.size / job->workload->block_bytes;
    uint64_t step = job->verify_full || blocks < VERIFY_SPREAD ? 1 : blocks / VERIFY_SPREAD;
    char name[NAME_SIZE];
    name_large(worker->number, name);
    struct read_back back = {.worker = worker, .content = layout, .path = name, .item = worker->number};
    if (blocks == 0 || !read_back_open(&back, job->dirfd, name))
        return;
    unsigned *last = last_writes(worker, blocks);
    bool good = read_back_size(&back, true);
    for (uint64_t block = 0; good && block < blocks && !worker_halted(worker); block++)
        if (last[block] > 0 || block % step == 0)
            good = check_random_block(&back, &layout, block, last[block]);
    free(last);
    read_back_close(&back);
}

// ---- By tasks ----

static struct job job_of(const struct task *task, void (*stage)(struct worker *), unsigned batch)
{
    return (struct job){.workload = task->workload,
                        .threads = task->workload->threads,
                        .stages = {stage},
                        .dirfd = tier_dirfd(task->tier),
                        .treefd = -1,
                        .batch = batch,
                        .untimed = true,
                        .draw = task->draw,
                        .making = task->making,
                        .layout = task->tier->files.layout,
                        .verify_full = task->verify_full};
}

static void run(struct task *task, const struct job *job)
{
    atomic_store(task->activity, ACTIVITY_VERIFYING);
    task->has_own = true;
    crew_run(&task->tier->crew, job);
    crew_collect_check(&task->tier->crew, &task->own);
}

static void run_batches(struct task *task, void (*stage)(struct worker *), bool full)
{
    for (unsigned batch = 0; batch < task->batches && verify_goes_on(task, &task->own); batch++) {
        struct job job = job_of(task, stage, batch);
        job.verify_full = job.verify_full || full;
        run(task, &job);
    }
}

void verify_sequential(struct task *task)
{
    run_batches(task, check_sequential, false);
}

void verify_logs(struct task *task)
{
    run_batches(task, check_log, true);
}

void verify_layout(struct task *task)
{
    struct job job = job_of(task, check_laid_out, 0);
    run(task, &job);
}

void verify_random_writes(struct task *task)
{
    struct job job = job_of(task, check_random_writes, task->batches);
    run(task, &job);
}
