// read_back.h: one file read back by the worker that wrote it, block by block, untimed, and compared.
#pragma once

#include "engine/worker.h"

#include <stdbool.h>
#include <stdint.h>

struct read_back {
    struct worker *worker;
    struct content content;
    const char *path; // below the scratch directory, for messages
    uint64_t item;    // number of the file, or of the block or operation for a large one
    int fd;
};

// Opens it by its name below a directory. False, with the worker's failure noted, where that fails; what is
// open is closed by read_back_close.
bool read_back_open(struct read_back *back, int dirfd, const char *name);
void read_back_close(struct read_back *back);

// Checks that the file isn't longer than its content, and where `allocated` adds up what it takes on the
// disk.
bool read_back_size(struct read_back *back, bool allocated);

// Reads the block at an offset (a multiple of PAYLOAD_BLOCK) and compares it; a difference is noted and
// counted. False where a call failed: then the file is given up.
bool read_back_block(struct read_back *back, uint64_t offset);
