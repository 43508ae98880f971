// workload_rand_read.c: preads of one block each at random aligned offsets of a file that was evicted before.
// The file is opened before the clock starts, with O_DIRECT where the access is direct.
#include "engine/work.h"

#include "engine/draw.h"
#include "engine/files.h"
#include "engine/large.h"

#include <fcntl.h>

static void before(struct worker *worker)
{
    if (!large_open(worker, O_RDONLY))
        return;
    large_evict(worker);
    if (worker->job->workload->access != ACCESS_DIRECT)
        return;
    large_close(worker);
    large_open(worker, O_RDONLY | O_DIRECT);
}

static void read_blocks(struct worker *worker)
{
    const struct job *job = worker->job;
    const struct workload *workload = job->workload;
    uint64_t blocks = files_content(worker).size / workload->block_bytes;
    uint64_t then = clock_monotonic_ns();
    if (blocks == 0)
        return;
    for (uint64_t item = worker->number; item < workload->operations && !worker_halted(worker);
         item += job->threads) {
        uint64_t offset = draw_below(job->draw, job->batch, item, blocks) * workload->block_bytes;
        ssize_t got = large_read_block(worker, worker->fd, item, offset, &then);
        if (got < 0)
            return;
        large_check(worker, item, offset, (size_t)got, &then);
    }
}

const struct work work_rand_read = {.stages = {read_blocks},
                                    .before = before,
                                    .after = large_look_again,
                                    .prepare = files_prepare,
                                    .settle = large_settle};
