// payload.c: random bytes with stamps.
#include "engine/payload.h"

#include "base/rng.h"
#include "engine/aligned.h"

#include <stdlib.h>
#include <string.h>

static uint64_t round_up(uint64_t size)
{
    return (size + PAYLOAD_BLOCK - 1) / PAYLOAD_BLOCK * PAYLOAD_BLOCK;
}

size_t payload_size(uint64_t block_bytes, unsigned threads)
{
    size_t size = (size_t)round_up(block_bytes),
           share = PAYLOAD_SHARED / threads / PAYLOAD_LEAST * PAYLOAD_LEAST;
    if (size < share)
        size = share;
    return size > PAYLOAD_LEAST ? size : PAYLOAD_LEAST;
}

void payload_init(struct payload *payload, size_t size, uint64_t nonce)
{
    *payload = (struct payload){.bytes = aligned_zeroed(PAYLOAD_BLOCK, size), .size = size, .nonce = nonce};
}

void payload_fill(struct payload *payload, uint64_t seed)
{
    struct rng rng;
    rng_seed(&rng, seed);
    rng_fill(&rng, payload->bytes, payload->size);
}

void payload_release(struct payload *payload)
{
    free(payload->bytes);
    *payload = (struct payload){0};
}

uint64_t content_file(uint64_t making, unsigned batch, uint64_t number)
{
    return making << 40 | (uint64_t)batch << 32 | number;
}

struct content content_small(const struct payload *payload, uint64_t file, uint64_t turn, uint64_t size)
{
    if (size > payload->size)
        return (struct content){.file = file, .size = size, .chunk = payload->size, .turns = 1};
    uint64_t slot = size ? round_up(size) : PAYLOAD_BLOCK;
    uint64_t slots = payload->size / slot;
    return (struct content){
        .file = file, .size = size, .chunk = slot, .at = (size_t)(turn % slots * slot), .turns = 1};
}

struct content content_sequential(const struct payload *payload, uint64_t file, uint64_t block_bytes,
                                  uint64_t size)
{
    return (struct content){
        .file = file, .size = size, .chunk = block_bytes, .turns = payload->size / block_bytes};
}

struct content content_over(const struct payload *payload, uint64_t file, uint64_t block_bytes, uint64_t size)
{
    struct content content = content_sequential(payload, file, block_bytes, size);
    if (content.turns > 1) {
        content.at = (size_t)block_bytes;
        content.turns--;
    }
    return content;
}

// Where in the payload the chunk lies that holds `offset` of the file.
static size_t chunk_at(const struct content *content, uint64_t offset)
{
    return content->at + (size_t)(offset / content->chunk % content->turns * content->chunk);
}

uint64_t content_chunk_size(const struct content *content, uint64_t offset)
{
    uint64_t left = content->size - offset;
    return left < content->chunk ? left : content->chunk;
}

static void make_stamp(const struct payload *payload, const struct content *content, uint64_t block,
                       uint64_t stamp[3])
{
    stamp[0] = payload->nonce;
    stamp[1] = content->file;
    stamp[2] = block;
}

const unsigned char *payload_stamp(struct payload *payload, const struct content *content, uint64_t offset)
{
    unsigned char *chunk = payload->bytes + chunk_at(content, offset);
    uint64_t size = content_chunk_size(content, offset);
    for (uint64_t done = 0; done < size; done += PAYLOAD_BLOCK) {
        uint64_t stamp[3];
        make_stamp(payload, content, (offset + done) / PAYLOAD_BLOCK, stamp);
        memcpy(chunk + done, stamp, PAYLOAD_STAMP); // a payload is whole blocks: there is room for all of it
    }
    return chunk;
}

static size_t equal_bytes(const unsigned char *a, const unsigned char *b, size_t size)
{
    if (memcmp(a, b, size) == 0)
        return size;
    size_t i = 0;
    while (a[i] == b[i])
        i++;
    return i;
}

size_t payload_compare(const struct payload *payload, const struct content *content, uint64_t offset,
                       const unsigned char *read, size_t size)
{
    uint64_t stamp[3];
    make_stamp(payload, content, offset / PAYLOAD_BLOCK, stamp);
    size_t stamped = size < PAYLOAD_STAMP ? size : PAYLOAD_STAMP;
    size_t equal = equal_bytes(read, (const unsigned char *)stamp, stamped);
    if (equal < stamped || stamped == size)
        return equal;
    const unsigned char *written = payload->bytes + chunk_at(content, offset) + offset % content->chunk;
    return stamped + equal_bytes(read + stamped, written + stamped, size - stamped);
}

size_t payload_check_stamps(const struct payload *payload, const struct content *content, uint64_t offset,
                            const unsigned char *read, size_t size)
{
    for (size_t at = 0; at < size; at += PAYLOAD_BLOCK) {
        uint64_t stamp[3];
        make_stamp(payload, content, (offset + at) / PAYLOAD_BLOCK, stamp);
        size_t stamped = size - at < PAYLOAD_STAMP ? size - at : PAYLOAD_STAMP;
        size_t equal = equal_bytes(read + at, (const unsigned char *)stamp, stamped);
        if (equal < stamped)
            return at + equal;
    }
    return size;
}
