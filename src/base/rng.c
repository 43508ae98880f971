#include "base/rng.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void rng_seed(struct rng *rng, uint64_t seed)
{
    for (size_t i = 0; i < 4; i++)
        rng->state[i] = splitmix64(&seed);
}

static uint64_t rotate_left(uint64_t x, unsigned by)
{
    return (x << by) | (x >> (64 - by));
}

uint64_t rng_next(struct rng *rng)
{
    uint64_t *s = rng->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

void rng_fill(struct rng *rng, void *bytes, size_t size)
{
    struct rng local = *rng; // so that the state stays in registers whatever `bytes` points at
    unsigned char *out = bytes;
    for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t), out += sizeof(uint64_t)) {
        uint64_t word = rng_next(&local);
        memcpy(out, &word, sizeof word);
    }
    if (size > 0) {
        uint64_t word = rng_next(&local);
        memcpy(out, &word, size);
    }
    *rng = local;
}

void random_bytes(void *bytes, size_t size)
{
    unsigned char *out = bytes;
    while (size > 0) {
        ssize_t got = getrandom(out, size, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            perror("diskduel: getrandom");
            abort();
        }
        out += got;
        size -= (size_t)got;
    }
}

void random_hex(char *out, size_t digits)
{
    for (size_t i = 0; i < digits; i++) {
        unsigned char byte;
        random_bytes(&byte, 1);
        out[i] = "0123456789abcdef"[byte & 15];
    }
    out[digits] = '\0';
}
