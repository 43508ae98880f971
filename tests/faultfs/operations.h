// operations.h: the calls themselves: each goes through call_begin(), is done on the folder behind, and
// answered.
#pragma once

#include "disk.h"

#include <fuse_lowlevel.h>

#include <sys/stat.h>

// Each fills in its topic's calls.
void operations_of_names(struct fuse_lowlevel_ops *operations);
void operations_of_attributes(struct fuse_lowlevel_ops *operations);
void operations_of_files(struct fuse_lowlevel_ops *operations);
void operations_of_folders(struct fuse_lowlevel_ops *operations);

double seconds_of(uint64_t ns);

// Looks a name in the call's folder up as an answer has it. 0 or an errno.
int entry_find(const struct call *call, const char *name, struct fuse_entry_param *entry);

// Who asked for a new file owns it, not who serves the disk. 0 or an errno.
int entry_give_away(const struct call *call, const char *name);

// What fsync and close do, as the knob for it says. 0 or an errno.
int make_durable(struct call *call, enum durability how);
