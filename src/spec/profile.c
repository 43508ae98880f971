// profile.c: the table of profiles.
//
// Where the shapes come from:
// - How sizes are spread: Gordon Irlam's survey of 12 million files ("Unix File Size Survey - 1993",
//   gordoni.com/ufs93.html): 12.9 % of them are at most 256 bytes, 38.4 % 1 KiB, 58.1 % 2 KiB, 72.3 % 4 KiB,
//   81.7 % 8 KiB, 88.9 % 16 KiB, 93.6 % 32 KiB, 96.5 % 64 KiB, 98.1 % 128 KiB. Of the few that are larger
//   none is taken, so that a tree stays small; their share went to the first class. Each class has one size,
//   somewhat below the middle of its range.
// - node_modules: of one package.json npm made 30,309 files, 171 MB, in 4,574 folders (yarnpkg/yarn issue
//   2088, 2016): 6.6 files a folder, 5.6 kB a file. Ours is an eighteenth of it, and has the same two means.
// - A work tree: the largest check-out of Linux has 62,300 files, 747 MiB, in 4,380 directories (README of
//   github/git-sizer): 14.2 files a directory, 12.3 KiB a file: the same spread, each class about twice as
//   large. Ours is a fiftieth of it.
// - Objects: git spreads them over 256 directories by the first byte of their names. Of Linux's 5.8 million,
//   12.5 % are commits of 761 bytes in the mean, 59 % trees of 2.8 KiB and 28.5 % blobs of 36 KB, before
//   compression (ibid.). How well they compress, how many there are (two a directory) and the size of the
//   pack is our choice.
// Scales and depths are ours too: on a disk of 1 ms a call a round has to stay well below a few minutes, and
// there are enough levels for that many folders.
#include "spec/profile.h"

#include "base/units.h"

#include <string.h>

#define PLAIN_TREE                                                                                           \
    {                                                                                                        \
        .files = 200, .file_bytes = 4 * KIB, .fanout = 1                                                     \
    }

#define NODE_MODULES                                                                                         \
    {                                                                                                        \
        .files = 1716, .depth = 3, .fanout = 6, .size_count = 9,                                             \
        .sizes = {{148, 150},  {255, 650},  {197, 1400}, {142, 2800}, {94, 5600},                            \
                  {72, 11000}, {47, 20500}, {29, 40000}, {16, 80000}},                                       \
    }

#define WORK_TREE                                                                                            \
    {                                                                                                        \
        .files = 1200, .depth = 3, .fanout = 4, .size_count = 9,                                             \
        .sizes = {{148, 330},  {255, 1450}, {197, 3100}, {142, 6200}, {94, 12400},                           \
                  {72, 24500}, {47, 45000}, {29, 89000}, {16, 178000}},                                      \
    }

#define OBJECTS                                                                                              \
    {                                                                                                        \
        .files = 512, .depth = 1, .fanout = 256, .size_count = 3,                                            \
        .sizes = {{125, 400}, {590, 1400}, {285, 9000}},                                                     \
    }

const struct profile profiles[] = {
    {
        .id = "agent-disk",
        .summary = "200 files of 4 KiB created, walked and deleted; durable writes up to 1 GiB",
        .steps = {{.workloads = "create,walk,delete,seq-write",
                   .tree = PLAIN_TREE,
                   .sizes = {64 * MIB, 256 * MIB, 1024 * MIB}}},
        .rounds = 6,
    },
    {
        .id = "quick",
        .summary = "the same with a durable write of 64 MiB only: under 20 seconds",
        .steps = {{.workloads = "create,walk,delete,seq-write", .tree = PLAIN_TREE, .sizes = {64 * MIB}}},
        .rounds = 6,
    },
    {
        .id = "npm-install",
        .summary = "a tree in the shape of node_modules: created, walked, read, deleted",
        .steps = {{.workloads = "create,walk,read-tree,delete", .tree = NODE_MODULES, .sizes = {64 * MIB}}},
        .rounds = 6,
    },
    {
        .id = "git",
        .summary = "clone (objects and a pack), status (stat of a work tree), checkout (write, rename)",
        .steps = {{.name = "clone", .workloads = "create,seq-write", .tree = OBJECTS, .sizes = {16 * MIB}},
                  {.name = "status", .workloads = "walk", .tree = WORK_TREE},
                  {.name = "checkout", .workloads = "create,rename", .tree = WORK_TREE}},
        .rounds = 6,
    },
    {
        .id = "database",
        .summary = "commits (append and fsync), random reads and writes of 4 KiB",
        .steps = {{.workloads = "commit,rand-read,rand-write", .tree = PLAIN_TREE, .sizes = {64 * MIB}}},
        .rounds = 6,
    },
    {.id = NULL},
};

const struct profile *profile_by_id(const char *id)
{
    for (const struct profile *profile = profiles; profile->id; profile++)
        if (!strcmp(profile->id, id))
            return profile;
    return NULL;
}
