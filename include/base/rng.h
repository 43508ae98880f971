// rng.h: random numbers that repeat (xoshiro256**, seeded by splitmix64: Blackman and Vigna,
// prng.di.unimi.it) and random bytes that don't (getrandom).
#pragma once

#include <stddef.h>
#include <stdint.h>

struct rng {
    uint64_t state[4];
};

void rng_seed(struct rng *rng, uint64_t seed);
uint64_t rng_next(struct rng *rng);
void rng_fill(struct rng *rng, void *bytes, size_t size);

// Unpredictable bytes, for names that nobody may guess. Aborts where the kernel can't give any.
void random_bytes(void *bytes, size_t size);

// `digits` random lower-case hexadecimal digits and a NUL.
void random_hex(char *out, size_t digits);
