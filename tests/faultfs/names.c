// Names: finding, making, moving and removing them.
#include "operations.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

double seconds_of(uint64_t ns)
{
    return (double)ns / 1e9;
}

int entry_find(const struct call *call, const char *name, struct fuse_entry_param *entry)
{
    struct inode *inode = NULL;
    *entry = (struct fuse_entry_param){0};
    int error = inodes_lookup(&call->disk->inodes, call->inode, name, &entry->attr, &inode);
    if (error != 0)
        return error;
    entry->ino = inodes_number(&call->disk->inodes, inode);
    entry->attr_timeout = seconds_of(call->knobs.attr_timeout_ns);
    entry->entry_timeout = seconds_of(call->knobs.entry_timeout_ns);
    return 0;
}

int entry_give_away(const struct call *call, const char *name)
{
    const struct fuse_ctx *who = fuse_req_ctx(call->request);
    if (who->uid == geteuid() && who->gid == getegid())
        return 0;
    return fchownat(call->inode->fd, name, who->uid, who->gid, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno;
}

// Ends a call whose answer is the entry `name`.
static void answer_entry(struct call *call, int error, const char *name)
{
    struct fuse_entry_param entry;
    if (error == 0)
        error = entry_find(call, name, &entry);
    call_end(call);
    if (error != 0)
        fuse_reply_err(call->request, error);
    else
        fuse_reply_entry(call->request, &entry);
}

static void answer_done(struct call *call, int error)
{
    call_end(call);
    fuse_reply_err(call->request, error);
}

static void lookup(fuse_req_t request, fuse_ino_t parent, const char *name)
{
    struct call call;
    int error = call_begin(&call, request, KIND_LOOKUP, parent, name);
    answer_entry(&call, error, name);
}

static void forget(fuse_req_t request, fuse_ino_t ino, uint64_t lookups)
{
    struct disk *disk = fuse_req_userdata(request);
    inodes_forget(&disk->inodes, inodes_of(&disk->inodes, ino), lookups);
    fuse_reply_none(request);
}

static void forget_many(fuse_req_t request, size_t count, struct fuse_forget_data *forgotten)
{
    struct disk *disk = fuse_req_userdata(request);
    for (size_t i = 0; i < count; i++)
        inodes_forget(&disk->inodes, inodes_of(&disk->inodes, forgotten[i].ino), forgotten[i].nlookup);
    fuse_reply_none(request);
}

// Ends a call that made `name`, with what the system call returned, or -1 where an error keeps it from being
// made.
static void answer_made(struct call *call, int error, int result, const char *name)
{
    if (error == 0 && result != 0)
        error = errno;
    if (error == 0)
        error = entry_give_away(call, name);
    answer_entry(call, error, name);
}

static void make_node(fuse_req_t request, fuse_ino_t parent, const char *name, mode_t mode, dev_t device)
{
    struct call call;
    int error = call_begin(&call, request, KIND_MKNOD, parent, name);
    answer_made(&call, error, error ? -1 : mknodat(call.inode->fd, name, mode, device), name);
}

static void make_folder(fuse_req_t request, fuse_ino_t parent, const char *name, mode_t mode)
{
    struct call call;
    int error = call_begin(&call, request, KIND_MKDIR, parent, name);
    answer_made(&call, error, error ? -1 : mkdirat(call.inode->fd, name, mode), name);
}

static void make_symlink(fuse_req_t request, const char *target, fuse_ino_t parent, const char *name)
{
    struct call call;
    int error = call_begin(&call, request, KIND_SYMLINK, parent, name);
    answer_made(&call, error, error ? -1 : symlinkat(target, call.inode->fd, name), name);
}

static void make_link(fuse_req_t request, fuse_ino_t ino, fuse_ino_t parent, const char *name)
{
    struct call call;
    int error = call_begin(&call, request, KIND_LINK, parent, name);
    const struct inode *inode = inodes_of(&call.disk->inodes, ino);
    if (error == 0 && linkat(AT_FDCWD, inode->path, call.inode->fd, name, AT_SYMLINK_FOLLOW) != 0)
        error = errno;
    answer_entry(&call, error, name);
}

// What a removed file has in the write buffer needn't drain.
static void drop(const struct call *call, const struct stat *status)
{
    const struct inode *inode = inodes_find(&call->disk->inodes, status);
    if (inode && status->st_nlink == 1)
        bucket_drop(&call->disk->buffer, atomic_load(&inode->last_byte), atomic_load(&inode->written),
                    call->knobs.drain);
}

static void remove_file(fuse_req_t request, fuse_ino_t parent, const char *name)
{
    struct call call;
    int error = call_begin(&call, request, KIND_UNLINK, parent, name);
    struct stat status;
    bool found = error == 0 && fstatat(call.inode->fd, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
    if (error == 0 && unlinkat(call.inode->fd, name, 0) != 0)
        error = errno;
    if (error == 0 && found && call.knobs.drop_removed)
        drop(&call, &status);
    answer_done(&call, error);
}

static void remove_folder(fuse_req_t request, fuse_ino_t parent, const char *name)
{
    struct call call;
    int error = call_begin(&call, request, KIND_RMDIR, parent, name);
    if (error == 0 && unlinkat(call.inode->fd, name, AT_REMOVEDIR) != 0)
        error = errno;
    answer_done(&call, error);
}

static void move(fuse_req_t request, fuse_ino_t parent, const char *name, fuse_ino_t new_parent,
                 const char *new_name, unsigned int flags)
{
    struct call call;
    int error = call_begin(&call, request, KIND_RENAME, parent, name);
    const struct inode *target = inodes_of(&call.disk->inodes, new_parent);
    if (error == 0 && renameat2(call.inode->fd, name, target->fd, new_name, flags) != 0)
        error = errno;
    answer_done(&call, error);
}

static void read_link(fuse_req_t request, fuse_ino_t ino)
{
    struct call call;
    char target[PATH_MAX + 1];
    int error = call_begin(&call, request, KIND_READLINK, ino, NULL);
    ssize_t length = error ? -1 : readlinkat(call.inode->fd, "", target, sizeof target - 1);
    if (error == 0 && length < 0)
        error = errno;
    call_end(&call);
    if (error != 0) {
        fuse_reply_err(request, error);
        return;
    }
    target[length] = '\0';
    fuse_reply_readlink(request, target);
}

void operations_of_names(struct fuse_lowlevel_ops *operations)
{
    operations->lookup = lookup;
    operations->forget = forget;
    operations->forget_multi = forget_many;
    operations->mknod = make_node;
    operations->mkdir = make_folder;
    operations->symlink = make_symlink;
    operations->link = make_link;
    operations->unlink = remove_file;
    operations->rmdir = remove_folder;
    operations->rename = move;
    operations->readlink = read_link;
}
