// files.c: laid out, read back once, removed.
#include "engine/files.h"

#include "base/units.h"
#include "engine/engine.h"
#include "engine/verify.h"
#include "engine/verify_large.h"
#include "engine/work.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

// Always laid out in blocks of this size, since that is felt by what writes over them later.
#define LAYOUT_BLOCK MIB
_Static_assert(LAYOUT_BLOCK <= PAYLOAD_LEAST, "every payload holds a block of it");

uint64_t files_share(uint64_t bytes, uint64_t block_bytes, unsigned threads, unsigned thread)
{
    uint64_t blocks = bytes / block_bytes + (bytes % block_bytes != 0);
    if (blocks <= thread)
        return 0;
    uint64_t own = (blocks - thread + threads - 1) / threads;
    uint64_t missing = blocks * block_bytes - bytes; // from the very last block
    return own * block_bytes - ((blocks - 1) % threads == thread ? missing : 0);
}

struct content files_content(const struct worker *worker)
{
    const struct job *job = worker->job;
    return content_sequential(&worker->payload, content_file(job->layout, 0, worker->number), LAYOUT_BLOCK,
                              files_share(job->workload->bytes, LAYOUT_BLOCK, job->threads, worker->number));
}

// ---- Making them ----

static bool write_chunk(struct worker *worker, int fd, const struct content *content, const char *name,
                        uint64_t offset)
{
    const unsigned char *bytes = payload_stamp(&worker->payload, content, offset);
    uint64_t size = content_chunk_size(content, offset);
    for (uint64_t done = 0; done < size;) {
        progress_set(worker->progress, CALL_WRITE, worker->number, clock_monotonic_ns());
        ssize_t written = worker->io.calls->write(&worker->io, fd, bytes + done, (size_t)(size - done));
        if (written <= 0)
            return worker_fail_at(worker, CALL_WRITE, written < 0 ? errno : 0, worker->number, name,
                                  offset + done);
        done += (uint64_t)written;
    }
    return true;
}

static bool write_all(struct worker *worker, int fd, const struct content *content, const char *name)
{
    for (uint64_t offset = 0; offset < content->size; offset += LAYOUT_BLOCK)
        if (worker_halted(worker) || !write_chunk(worker, fd, content, name, offset))
            return false;
    progress_set(worker->progress, CALL_FSYNC, worker->number, clock_monotonic_ns());
    return worker->io.calls->fsync(&worker->io, fd) == 0 ||
           worker_fail(worker, CALL_FSYNC, errno, worker->number, name);
}

static void lay_out(struct worker *worker)
{
    const struct io_calls *calls = worker->io.calls;
    struct content content = files_content(worker);
    char name[NAME_SIZE];
    name_large(worker->number, name);
    progress_set(worker->progress, CALL_OPENAT, worker->number, clock_monotonic_ns());
    int fd = calls->create(&worker->io, worker->job->dirfd, name);
    if (fd < 0) {
        worker_fail(worker, CALL_OPENAT, errno, worker->number, name);
        return;
    }
    bool written = write_all(worker, fd, &content, name);
    progress_set(worker->progress, CALL_CLOSE, worker->number, clock_monotonic_ns());
    if (calls->close(&worker->io, fd) != 0 && written)
        worker_fail(worker, CALL_CLOSE, errno, worker->number, name);
}

bool files_prepare(struct task *task)
{
    struct tier *tier = task->tier;
    struct files *files = &tier->files;
    const struct workload *workload = task->workload;
    if (files->whole && files->bytes == workload->bytes && files->threads == workload->threads)
        return true;
    if (!files_remove(tier))
        return false;
    atomic_store(task->activity, ACTIVITY_PREPARING);
    *files = (struct files){.threads = workload->threads, .bytes = workload->bytes, .layout = task->layout};
    crew_run(&tier->crew, &(struct job){.workload = workload,
                                        .threads = workload->threads,
                                        .stages = {lay_out},
                                        .dirfd = tier_dirfd(tier),
                                        .treefd = -1,
                                        .untimed = true,
                                        .layout = files->layout});
    files->whole = !crew_halted(&tier->crew);
    return files->whole;
}

void files_verify_once(struct task *task)
{
    struct files *files = &task->tier->files;
    if (files->verified || !files->whole || task->tier->null)
        return;
    verify_layout(task);
    files->verified = verify_goes_on(task, &task->own); // else the next section does it from the start
}

bool files_remove(struct tier *tier)
{
    struct files *files = &tier->files;
    bool removed = true;
    for (unsigned thread = 0; thread < files->threads && !tier->null; thread++) {
        char name[NAME_SIZE];
        name_large(thread, name);
        tier_call_begin(tier, CALL_UNLINKAT);
        if (unlinkat(tier->scratch.dirfd, name, 0) != 0 && errno != ENOENT)
            removed = tier_fail(tier, CALL_UNLINKAT, name);
        tier_call_end(tier);
    }
    if (removed)
        *files = (struct files){0};
    files->whole = false;
    return removed;
}
