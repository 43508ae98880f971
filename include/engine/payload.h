// payload.h: the bytes that a worker writes, and how they are known again when they are read back.
//
// A payload is a block of random bytes that a worker fills once. What is written is cut from it; each 4 KiB
// of a file carry a stamp in their first bytes (run, file, number of the 4 KiB), so that no two blocks on a
// disk are equal and a block that comes back in a wrong place is noticed. Stamps always fall on the same
// places of the payload, every 4 KiB, and all other bytes stay as they were filled: what a file must hold can
// be told later from its `struct content` alone.
//
// Small files are cut one after the other, so that neighbours share no bytes, and so are the blocks of a
// sequential file: its random bytes come again only after a whole payload. Compressors look back 2 MiB and
// less (zstd at its usual levels, lz4, btrfs), and objects of 4 MiB are common: a payload has 16 MiB for one
// thread, so that nothing of it is saved. With more threads each has its share, at least 1 MiB and one block.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAYLOAD_BLOCK = 4096, PAYLOAD_STAMP = 24 };
#define PAYLOAD_LEAST  ((size_t)1 << 20)
#define PAYLOAD_SHARED ((size_t)16 << 20) // for all threads of a tier together

struct payload {
    unsigned char *bytes; // aligned to PAYLOAD_BLOCK; owned
    size_t size;          // a multiple of PAYLOAD_BLOCK
    uint64_t nonce;       // of the run
};

// How large the payload of one of so many workers is, that writes blocks of at most `block_bytes`.
size_t payload_size(uint64_t block_bytes, unsigned threads);

// Allocates it, zeroed; payload_fill gives the random bytes.
void payload_init(struct payload *payload, size_t size, uint64_t nonce);
void payload_fill(struct payload *payload, uint64_t seed);
void payload_release(struct payload *payload);

// What one file holds: `size` bytes, written in chunks of at most `chunk` bytes (a multiple of PAYLOAD_BLOCK
// where there are several), cut from the payload at `at` and on, `turns` of them before it begins again.
struct content {
    uint64_t file; // number in the stamp
    uint64_t size;
    uint64_t chunk;
    size_t at;
    uint64_t turns;
};

// The number of a file that no other file of the run has: `making` counts the sections that write.
uint64_t content_file(uint64_t making, unsigned batch, uint64_t number);

// A small file: the `turn`th that this worker makes in its tree.
struct content content_small(const struct payload *payload, uint64_t file, uint64_t turn, uint64_t size);

// A sequential file, written block by block.
struct content content_sequential(const struct payload *payload, uint64_t file, uint64_t block_bytes,
                                  uint64_t size);

// What is written over a sequential file, block by block: each comes from another place in the payload than
// what lies there, so that a block that was written in part is neither.
struct content content_over(const struct payload *payload, uint64_t file, uint64_t block_bytes,
                            uint64_t size);

// Stamps the chunk that begins at `offset` of the file (a multiple of its chunk size) and returns its bytes.
const unsigned char *payload_stamp(struct payload *payload, const struct content *content, uint64_t offset);
uint64_t content_chunk_size(const struct content *content, uint64_t offset);

// Compares what was read at `offset` (a multiple of PAYLOAD_BLOCK), at most one block of it. Returns how many
// bytes from the start are right: `size` where all are.
size_t payload_compare(const struct payload *payload, const struct content *content, uint64_t offset,
                       const unsigned char *read, size_t size);

// Compares the stamps alone of what was read at `offset` (a multiple of PAYLOAD_BLOCK), any number of blocks:
// quick enough to be done between two timed calls. Returns how many bytes from the start are right as far as
// stamps tell: `size` where all are.
size_t payload_check_stamps(const struct payload *payload, const struct content *content, uint64_t offset,
                            const unsigned char *read, size_t size);
