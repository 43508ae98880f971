// Attributes of files, extended ones, and of the disk as a whole.
#include "base/xalloc.h"
#include "operations.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

// Ends a call whose answer is the inode's attributes.
static void answer_attributes(struct call *call, int error)
{
    struct stat status;
    if (error == 0 && fstatat(call->inode->fd, "", &status, AT_EMPTY_PATH) != 0)
        error = errno;
    call_end(call);
    if (error != 0)
        fuse_reply_err(call->request, error);
    else
        fuse_reply_attr(call->request, &status, seconds_of(call->knobs.attr_timeout_ns));
}

static void get_attributes(fuse_req_t request, fuse_ino_t ino, struct fuse_file_info *file)
{
    (void)file;
    struct call call;
    int error = call_begin(&call, request, KIND_GETATTR, ino, NULL);
    answer_attributes(&call, error);
}

static int change_owner(const struct inode *inode, const struct stat *wanted, int which)
{
    if (!(which & (FUSE_SET_ATTR_UID | FUSE_SET_ATTR_GID)))
        return 0;
    uid_t user = which & FUSE_SET_ATTR_UID ? wanted->st_uid : (uid_t)-1;
    gid_t group = which & FUSE_SET_ATTR_GID ? wanted->st_gid : (gid_t)-1;
    return fchownat(inode->fd, "", user, group, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno;
}

static int change_size(const struct inode *inode, const struct stat *wanted, int which,
                       const struct fuse_file_info *file)
{
    if (!(which & FUSE_SET_ATTR_SIZE))
        return 0;
    int result = file ? ftruncate((int)file->fh, wanted->st_size) : truncate(inode->path, wanted->st_size);
    return result == 0 ? 0 : errno;
}

static struct timespec time_wanted(struct timespec time, int which, int set, int now)
{
    struct timespec special = {.tv_nsec = which & now ? UTIME_NOW : UTIME_OMIT};
    return (which & now) || !(which & set) ? special : time;
}

static int change_times(const struct inode *inode, const struct stat *wanted, int which)
{
    if (!(which & (FUSE_SET_ATTR_ATIME | FUSE_SET_ATTR_MTIME)))
        return 0;
    struct timespec times[2] = {
        time_wanted(wanted->st_atim, which, FUSE_SET_ATTR_ATIME, FUSE_SET_ATTR_ATIME_NOW),
        time_wanted(wanted->st_mtim, which, FUSE_SET_ATTR_MTIME, FUSE_SET_ATTR_MTIME_NOW),
    };
    return utimensat(AT_FDCWD, inode->path, times, 0) == 0 ? 0 : errno;
}

static void set_attributes(fuse_req_t request, fuse_ino_t ino, struct stat *wanted, int which,
                           struct fuse_file_info *file)
{
    struct call call;
    int error = call_begin(&call, request, KIND_SETATTR, ino, NULL);
    const struct inode *inode = call.inode;
    if (error == 0 && (which & FUSE_SET_ATTR_MODE) && chmod(inode->path, wanted->st_mode) != 0)
        error = errno;
    if (error == 0)
        error = change_owner(inode, wanted, which);
    if (error == 0)
        error = change_size(inode, wanted, which, file);
    if (error == 0)
        error = change_times(inode, wanted, which);
    answer_attributes(&call, error);
}

static void get_statistics(fuse_req_t request, fuse_ino_t ino)
{
    struct call call;
    struct statvfs statistics = {0};
    int error = call_begin(&call, request, KIND_STATFS, ino, NULL);
    if (error == 0 && fstatvfs(call.inode->fd, &statistics) != 0)
        error = errno;
    if (!call.knobs.statfs)
        statistics.f_blocks = statistics.f_bfree = statistics.f_bavail = statistics.f_files =
            statistics.f_ffree = statistics.f_favail = 0;
    call_end(&call);
    if (error != 0)
        fuse_reply_err(request, error);
    else
        fuse_reply_statfs(request, &statistics);
}

static int begin_xattr(struct call *call, fuse_req_t request, enum kind kind, fuse_ino_t ino)
{
    int error = call_begin(call, request, kind, ino, NULL);
    return error == 0 && !call->knobs.xattr ? EOPNOTSUPP : error;
}

// Ends a call that asked for `size` bytes of a value, 0 meaning: how long is it? `length` is what there is.
static void answer_value(struct call *call, int error, const char *value, size_t size, ssize_t length)
{
    if (error == 0 && length < 0)
        error = errno;
    call_end(call);
    if (error != 0)
        fuse_reply_err(call->request, error);
    else if (size == 0)
        fuse_reply_xattr(call->request, (size_t)length);
    else
        fuse_reply_buf(call->request, value, (size_t)length);
}

static void set_xattr(fuse_req_t request, fuse_ino_t ino, const char *name, const char *value, size_t size,
                      int flags)
{
    struct call call;
    int error = begin_xattr(&call, request, KIND_SETXATTR, ino);
    if (error == 0 && setxattr(call.inode->path, name, value, size, flags) != 0)
        error = errno;
    call_end(&call);
    fuse_reply_err(request, error);
}

static void get_xattr(fuse_req_t request, fuse_ino_t ino, const char *name, size_t size)
{
    struct call call;
    int error = begin_xattr(&call, request, KIND_GETXATTR, ino);
    char *value = size > 0 ? xmalloc(size) : NULL;
    answer_value(&call, error, value, size, error ? -1 : getxattr(call.inode->path, name, value, size));
    free(value);
}

static void list_xattr(fuse_req_t request, fuse_ino_t ino, size_t size)
{
    struct call call;
    int error = begin_xattr(&call, request, KIND_LISTXATTR, ino);
    char *value = size > 0 ? xmalloc(size) : NULL;
    answer_value(&call, error, value, size, error ? -1 : listxattr(call.inode->path, value, size));
    free(value);
}

static void remove_xattr(fuse_req_t request, fuse_ino_t ino, const char *name)
{
    struct call call;
    int error = begin_xattr(&call, request, KIND_REMOVEXATTR, ino);
    if (error == 0 && removexattr(call.inode->path, name) != 0)
        error = errno;
    call_end(&call);
    fuse_reply_err(request, error);
}

void operations_of_attributes(struct fuse_lowlevel_ops *operations)
{
    operations->getattr = get_attributes;
    operations->setattr = set_attributes;
    operations->statfs = get_statistics;
    operations->setxattr = set_xattr;
    operations->getxattr = get_xattr;
    operations->listxattr = list_xattr;
    operations->removexattr = remove_xattr;
}
