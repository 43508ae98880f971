// What is in folders.
#include "base/xalloc.h"
#include "operations.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static DIR *folder_of(const struct fuse_file_info *file)
{
    return (DIR *)(uintptr_t)file->fh;
}

static void open_folder(fuse_req_t request, fuse_ino_t ino, struct fuse_file_info *file)
{
    struct call call;
    int error = call_begin(&call, request, KIND_OPENDIR, ino, NULL);
    DIR *folder = error ? NULL : opendir(call.inode->path);
    if (error == 0 && !folder)
        error = errno;
    call_end(&call);
    if (error != 0) {
        fuse_reply_err(request, error);
        return;
    }
    file->fh = (uint64_t)(uintptr_t)folder;
    fuse_reply_open(request, file);
}

// Fills `bytes` with entries and says how many bytes they take, or -1 with the reason in errno.
static ssize_t fill(const struct call *call, DIR *folder, off_t offset, char *bytes, size_t size)
{
    size_t used = 0;
    seekdir(folder, offset);
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(folder);
        if (!entry)
            return errno == 0 || used > 0 ? (ssize_t)used : -1;
        struct stat status = {.st_ino = entry->d_ino};
        if (call->knobs.dirent_types)
            status.st_mode = (mode_t)DTTOIF(entry->d_type);
        size_t takes =
            fuse_add_direntry(call->request, bytes + used, size - used, entry->d_name, &status, entry->d_off);
        if (takes > size - used)
            return (ssize_t)used;
        used += takes;
    }
}

static void read_folder(fuse_req_t request, fuse_ino_t ino, size_t size, off_t offset,
                        struct fuse_file_info *file)
{
    struct call call;
    char *bytes = xmalloc(size + 1);
    int error = call_begin(&call, request, KIND_READDIR, ino, NULL);
    ssize_t used = error ? -1 : fill(&call, folder_of(file), offset, bytes, size);
    if (error == 0 && used < 0)
        error = errno;
    call_end(&call);
    if (error != 0)
        fuse_reply_err(request, error);
    else
        fuse_reply_buf(request, bytes, (size_t)used);
    free(bytes);
}

static void sync_folder(fuse_req_t request, fuse_ino_t ino, int only_data, struct fuse_file_info *file)
{
    struct call call;
    int error = call_begin(&call, request, KIND_FSYNCDIR, ino, NULL);
    enum durability how = (enum durability)call.knobs.fsync;
    if (error == 0)
        error = make_durable(&call, how);
    int fd = dirfd(folder_of(file));
    if (error == 0 && how != DURABILITY_NOOP && (only_data ? fdatasync(fd) : fsync(fd)) != 0)
        error = errno;
    call_end(&call);
    fuse_reply_err(request, error);
}

static void release_folder(fuse_req_t request, fuse_ino_t ino, struct fuse_file_info *file)
{
    struct call call;
    int error = call_begin(&call, request, KIND_RELEASEDIR, ino, NULL);
    closedir(folder_of(file));
    call_end(&call);
    fuse_reply_err(request, error);
}

void operations_of_folders(struct fuse_lowlevel_ops *operations)
{
    operations->opendir = open_folder;
    operations->readdir = read_folder;
    operations->fsyncdir = sync_folder;
    operations->releasedir = release_folder;
}
