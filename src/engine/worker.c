// worker.c: a crew of threads and the barrier that they meet at.
#include "engine/worker.h"

#include "engine/aligned.h"
#include "engine/thread.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

// Waits until the job's workers have all arrived. The last one takes the time at which the job begins.
static void meet(struct crew *crew, bool first)
{
    pthread_mutex_lock(&crew->lock);
    uint64_t barrier = crew->barriers;
    if (++crew->arrived == crew->job.threads) {
        crew->arrived = 0;
        crew->barriers++;
        if (first) {
            crew->job_start_ns = clock_monotonic_ns();
            if (!crew->job.untimed && atomic_load_explicit(&crew->started_ns, memory_order_relaxed) == 0)
                atomic_store_explicit(&crew->started_ns, crew->job_start_ns, memory_order_relaxed);
        }
        pthread_cond_broadcast(&crew->changed);
    }
    while (barrier == crew->barriers)
        pthread_cond_wait(&crew->changed, &crew->lock);
    pthread_mutex_unlock(&crew->lock);
}

static void do_job(struct worker *worker)
{
    struct crew *crew = worker->crew;
    const struct job *job = worker->job;
    worker->io.tree = &job->workload->tree;
    worker->lane = job->untimed ? &crew->untimed_lane : &crew->lanes[worker->number];
    for (unsigned i = 0; i < WORKER_STAGES && job->stages[i]; i++) {
        meet(crew, i == 0);
        if (job->closing || !worker_halted(worker))
            job->stages[i](worker);
    }
    worker->end_ns = clock_monotonic_ns();
    progress_set(worker->progress, CALL_NONE, 0, worker->end_ns);

    pthread_mutex_lock(&crew->lock);
    if (++crew->finished == job->threads)
        pthread_cond_signal(&crew->done);
    pthread_mutex_unlock(&crew->lock);
}

// Waits for the next job that this worker has a part in; false at the end of the run.
static bool next_job(struct worker *worker, uint64_t *seen)
{
    struct crew *crew = worker->crew;
    pthread_mutex_lock(&crew->lock);
    while (!crew->ending && (*seen == crew->jobs || worker->number >= crew->job.threads))
        pthread_cond_wait(&crew->changed, &crew->lock);
    *seen = crew->jobs;
    worker->job = &crew->job;
    bool more = !crew->ending;
    pthread_mutex_unlock(&crew->lock);
    return more;
}

static void *worker_main(void *argument)
{
    struct worker *worker = argument;
    payload_fill(&worker->payload, worker->seed);
    uint64_t seen = 0;
    while (next_job(worker, &seen))
        do_job(worker);
    return NULL;
}

static size_t buffer_size(uint64_t read_bytes)
{
    size_t size = (size_t)((read_bytes + PAYLOAD_BLOCK - 1) / PAYLOAD_BLOCK * PAYLOAD_BLOCK);
    return size > WORKER_BUFFER ? size : WORKER_BUFFER;
}

bool crew_start(struct crew *crew, const struct crew_setup *setup, struct error *error)
{
    *crew = (struct crew){.workers = aligned_zeroed(64, setup->threads * sizeof *crew->workers),
                          .lanes = aligned_zeroed(64, setup->threads * sizeof *crew->lanes),
                          .progress = aligned_zeroed(64, setup->threads * sizeof *crew->progress)};
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->changed, NULL);
    pthread_cond_init(&crew->done, NULL);
    lane_init(&crew->untimed_lane, (1u << PHASE_COUNT) - 1);
    for (unsigned i = 0; i < setup->threads; i++) {
        struct worker *worker = &crew->workers[i];
        worker->crew = crew;
        worker->number = i;
        worker->seed = setup->seed + i;
        worker->io.calls = setup->calls;
        worker->fd = -1;
        worker->progress = &crew->progress[i];
        worker->buffer_size = buffer_size(setup->read_bytes);
        worker->buffer = aligned_zeroed(PAYLOAD_BLOCK, worker->buffer_size);
        lane_init(&crew->lanes[i], setup->phases);
        payload_init(&worker->payload, payload_size(setup->block_bytes, setup->threads), setup->nonce);
        crew->size++;
        if (!thread_start(&worker->thread, THREAD_STACK, worker_main, worker, error)) {
            crew->size--;
            lane_release(&crew->lanes[i]);
            payload_release(&worker->payload);
            free(worker->buffer);
            crew_end(crew);
            return false;
        }
    }
    return true;
}

void crew_end(struct crew *crew)
{
    if (!crew->workers)
        return;
    pthread_mutex_lock(&crew->lock);
    crew->ending = true;
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->lock);
    for (unsigned i = 0; i < crew->size; i++) {
        struct worker *worker = &crew->workers[i];
        pthread_join(worker->thread, NULL);
        lane_release(&crew->lanes[i]);
        payload_release(&worker->payload);
        free(worker->buffer);
    }
    lane_release(&crew->untimed_lane);
    pthread_cond_destroy(&crew->changed);
    pthread_cond_destroy(&crew->done);
    pthread_mutex_destroy(&crew->lock);
    free(crew->workers);
    free(crew->lanes);
    free(crew->progress);
    *crew = (struct crew){0};
}

void crew_clear(struct crew *crew)
{
    atomic_fetch_and(&crew->halt, ~(unsigned)HALT_FAILED);
    atomic_store_explicit(&crew->started_ns, 0, memory_order_relaxed);
    for (unsigned i = 0; i < crew->size; i++) {
        struct worker *worker = &crew->workers[i];
        lane_clear(&crew->lanes[i]);
        worker->mib_length = 0;
        worker->failure = (struct failure){0};
        worker->check = (struct check){0};
        worker->residency = (struct residency){0};
    }
}

uint64_t crew_run(struct crew *crew, const struct job *job)
{
    pthread_mutex_lock(&crew->lock);
    crew->job = *job;
    crew->finished = 0;
    crew->jobs++;
    pthread_cond_broadcast(&crew->changed);
    while (crew->finished < job->threads)
        pthread_cond_wait(&crew->done, &crew->lock);
    pthread_mutex_unlock(&crew->lock);

    uint64_t end_ns = crew->job_start_ns;
    for (unsigned i = 0; i < job->threads; i++)
        if (crew->workers[i].end_ns > end_ns)
            end_ns = crew->workers[i].end_ns;
    return end_ns - crew->job_start_ns;
}

void crew_halt(struct crew *crew)
{
    atomic_fetch_or(&crew->halt, HALT_ASKED);
}

void crew_dismiss(struct crew *crew)
{
    atomic_fetch_or(&crew->halt, HALT_ASKED | HALT_DISMISSED);
}

void crew_resume(struct crew *crew)
{
    atomic_fetch_and(&crew->halt, ~(unsigned)HALT_ASKED);
}

const struct failure *crew_failure(const struct crew *crew)
{
    for (unsigned i = 0; i < crew->size; i++)
        if (crew->workers[i].failure.call != CALL_NONE)
            return &crew->workers[i].failure;
    return NULL;
}

void check_add(struct check *sum, const struct check *part)
{
    sum->blocks += part->blocks;
    sum->mismatches += part->mismatches;
    sum->has_allocated |= part->has_allocated;
    sum->allocated_bytes += part->allocated_bytes;
    if (sum->failure.call == CALL_NONE)
        sum->failure = part->failure;
}

void crew_take_check(struct crew *crew, struct check *check)
{
    for (unsigned i = 0; i < crew->size; i++) {
        check_add(check, &crew->workers[i].check);
        crew->workers[i].check = (struct check){0};
    }
}

void crew_collect_check(struct crew *crew, struct check *check)
{
    for (unsigned i = 0; i < crew->size; i++) {
        struct worker *worker = &crew->workers[i];
        if (worker->check.failure.call == CALL_NONE)
            worker->check.failure = worker->failure;
        check_add(check, &worker->check);
        worker->check = (struct check){0};
        worker->failure = (struct failure){0};
    }
    atomic_fetch_and(&crew->halt, ~(unsigned)HALT_FAILED);
}

struct residency crew_collect_residency(struct crew *crew)
{
    struct residency sum = {0};
    for (unsigned i = 0; i < crew->size; i++) {
        struct residency *part = &crew->workers[i].residency;
        sum.pages += part->pages;
        sum.resident += part->resident;
        *part = (struct residency){0};
    }
    return sum;
}

void failure_explain(struct failure *failure, int dirfd)
{
    struct statvfs status;
    if (failure->number == ENOSPC && fstatvfs(dirfd, &status) == 0)
        failure->out_of_inodes = status.f_files > 0 && status.f_favail == 0;
}

static void note(struct failure *failure, const struct failure *found, const char *path)
{
    if (failure->call != CALL_NONE)
        return;
    *failure = *found;
    snprintf(failure->path, sizeof failure->path, "%s", path);
}

static bool fail_call(struct worker *worker, const struct failure *found, const char *path)
{
    atomic_fetch_or(&worker->crew->halt, HALT_FAILED);
    note(&worker->failure, found, path);
    failure_explain(&worker->failure, worker->job->dirfd);
    return false;
}

bool worker_fail(struct worker *worker, enum call call, int number, uint64_t op, const char *path)
{
    return fail_call(worker, &(struct failure){.call = call, .number = number, .op = op}, path);
}

bool worker_fail_at(struct worker *worker, enum call call, int number, uint64_t op, const char *path,
                    uint64_t offset)
{
    return fail_call(
        worker,
        &(struct failure){.call = call, .number = number, .op = op, .has_offset = true, .offset = offset},
        path);
}

void worker_mismatch(struct worker *worker, uint64_t op, const char *path, uint64_t offset)
{
    worker->check.mismatches++;
    note(&worker->check.failure,
         &(struct failure){.call = CALL_VERIFY, .op = op, .has_offset = true, .offset = offset}, path);
}

void worker_tree_path(const struct worker *worker, const char *path, char out[NAME_PATH_SIZE])
{
    name_tree(worker->job->batch, out);
    if (!path[0])
        return;
    size_t length = strlen(out), room = NAME_PATH_SIZE - length - 2;
    out[length++] = '/';
    size_t size = strnlen(path, room);
    memcpy(out + length, path, size);
    out[length + size] = '\0';
}
