// What is in files: opening them, moving bytes, and making those durable.
#include "base/xalloc.h"
#include "operations.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

// O_DIRECT and O_APPEND are between the program and the kernel: here bytes come with their offset, and from
// memory that is not aligned.
static int flags_behind(int flags)
{
    return (flags & ~(O_DIRECT | O_APPEND | O_NOFOLLOW)) | O_CLOEXEC;
}

static int begin_open(struct call *call, fuse_req_t request, enum kind kind, fuse_ino_t ino, const char *name,
                      struct fuse_file_info *file)
{
    int error = call_begin(call, request, kind, ino, name);
    file->keep_cache = call->knobs.keep_cache;
    file->direct_io = call->knobs.direct_io;
    return error == 0 && !call->knobs.odirect && (file->flags & O_DIRECT) ? EINVAL : error;
}

static void create_file(fuse_req_t request, fuse_ino_t parent, const char *name, mode_t mode,
                        struct fuse_file_info *file)
{
    struct call call;
    struct fuse_entry_param entry;
    int error = begin_open(&call, request, KIND_CREATE, parent, name, file);
    int fd =
        error ? -1 : openat(call.inode->fd, name, flags_behind(file->flags) | O_CREAT | O_NOFOLLOW, mode);
    if (error == 0 && fd < 0)
        error = errno;
    if (error == 0)
        error = entry_give_away(&call, name);
    if (error == 0)
        error = entry_find(&call, name, &entry);
    call_end(&call);
    if (error == 0) {
        file->fh = (uint64_t)fd;
        fuse_reply_create(request, &entry, file);
        return;
    }
    if (fd >= 0)
        close(fd);
    fuse_reply_err(request, error);
}

static void open_file(fuse_req_t request, fuse_ino_t ino, struct fuse_file_info *file)
{
    struct call call;
    int error = begin_open(&call, request, KIND_OPEN, ino, NULL, file);
    int fd = error ? -1 : open(call.inode->path, flags_behind(file->flags));
    if (error == 0 && fd < 0)
        error = errno;
    call_end(&call);
    if (error != 0) {
        fuse_reply_err(request, error);
        return;
    }
    file->fh = (uint64_t)fd;
    fuse_reply_open(request, file);
}

static size_t least(size_t size, uint64_t most)
{
    return size < most ? size : (size_t)most;
}

static void read_file(fuse_req_t request, fuse_ino_t ino, size_t size, off_t offset,
                      struct fuse_file_info *file)
{
    struct call call;
    char *bytes = xmalloc(size + 1); // a size of 0 is possible
    int error = call_begin(&call, request, KIND_READ, ino, NULL);
    ssize_t done = error ? -1 : pread((int)file->fh, bytes, least(size, call.most), offset);
    if (error == 0 && done < 0)
        error = errno;
    if (error == 0) {
        char name[NAME_MAX + 1];
        bool named = faults_want_names(&call.disk->faults) && call_name(&call, name, sizeof name);
        faults_flip(&call.disk->faults, named ? name : NULL, bytes, (size_t)done, (uint64_t)offset);
        call_count_read(&call, (uint64_t)done);
        bucket_pour(&call.disk->reads, (uint64_t)done, 0, call.knobs.read_rate);
    }
    call_end(&call);
    if (error != 0)
        fuse_reply_err(request, error);
    else
        fuse_reply_buf(request, bytes, (size_t)done);
    free(bytes);
}

// Two writes to one file may come here in the other order.
static void raise_last_byte(struct inode *inode, uint64_t position)
{
    uint64_t before = atomic_load(&inode->last_byte);
    while (before < position && !atomic_compare_exchange_weak(&inode->last_byte, &before, position))
        continue;
}

static void write_file(fuse_req_t request, fuse_ino_t ino, const char *bytes, size_t size, off_t offset,
                       struct fuse_file_info *file)
{
    struct call call;
    int error = call_begin(&call, request, KIND_WRITE, ino, NULL);
    ssize_t done = error ? -1 : pwrite((int)file->fh, bytes, least(size, call.most), offset);
    if (error == 0 && done < 0)
        error = errno;
    if (error == 0) {
        const struct knobs *knobs = &call.knobs;
        call_count_written(&call, (uint64_t)done);
        bucket_pour(&call.disk->writes, (uint64_t)done, 0, knobs->write_rate);
        atomic_fetch_add(&call.inode->written, (uint64_t)done);
        raise_last_byte(call.inode,
                        bucket_pour(&call.disk->buffer, (uint64_t)done, knobs->buffer_bytes, knobs->drain));
    }
    call_end(&call);
    if (error != 0)
        fuse_reply_err(request, error);
    else
        fuse_reply_write(request, (size_t)done);
}

static void allocate(fuse_req_t request, fuse_ino_t ino, int mode, off_t offset, off_t length,
                     struct fuse_file_info *file)
{
    struct call call;
    int error = call_begin(&call, request, KIND_FALLOCATE, ino, NULL);
    if (error == 0 && !call.knobs.fallocate)
        error = EOPNOTSUPP;
    if (error == 0 && fallocate((int)file->fh, mode, offset, length) != 0)
        error = errno;
    call_end(&call);
    fuse_reply_err(request, error);
}

int make_durable(struct call *call, enum durability how)
{
    struct bucket *buffer = &call->disk->buffer;
    if (how == DURABILITY_ENOSYS)
        return ENOSYS;
    if (how == DURABILITY_FILE)
        bucket_wait(buffer, atomic_load(&call->inode->last_byte), call->knobs.drain);
    if (how == DURABILITY_ALL)
        bucket_wait_all(buffer, call->knobs.drain);
    return 0;
}

// At each close(): what the file behind has to say of it is passed on, but it stays open.
static void flush_file(fuse_req_t request, fuse_ino_t ino, struct fuse_file_info *file)
{
    struct call call;
    int error = call_begin(&call, request, KIND_FLUSH, ino, NULL);
    if (error == 0)
        error = make_durable(&call, (enum durability)call.knobs.flush);
    if (error == 0 && close(dup((int)file->fh)) != 0)
        error = errno;
    call_end(&call);
    fuse_reply_err(request, error);
}

static void sync_file(fuse_req_t request, fuse_ino_t ino, int only_data, struct fuse_file_info *file)
{
    struct call call;
    int error = call_begin(&call, request, KIND_FSYNC, ino, NULL);
    enum durability how = (enum durability)call.knobs.fsync;
    if (error == 0)
        error = make_durable(&call, how);
    if (error == 0 && how != DURABILITY_NOOP &&
        (only_data ? fdatasync((int)file->fh) : fsync((int)file->fh)) != 0)
        error = errno;
    call_end(&call);
    fuse_reply_err(request, error);
}

static void release_file(fuse_req_t request, fuse_ino_t ino, struct fuse_file_info *file)
{
    struct call call;
    int error = call_begin(&call, request, KIND_RELEASE, ino, NULL);
    close((int)file->fh);
    call_end(&call);
    fuse_reply_err(request, error);
}

void operations_of_files(struct fuse_lowlevel_ops *operations)
{
    operations->create = create_file;
    operations->open = open_file;
    operations->read = read_file;
    operations->write = write_file;
    operations->fallocate = allocate;
    operations->flush = flush_file;
    operations->fsync = sync_file;
    operations->release = release_file;
}
