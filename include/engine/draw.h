// draw.h: random offsets that follow from numbers alone, so that both tiers go to the same places in the same
// order, and what was written where can be told afterwards.
#pragma once

#include <stdint.h>

// A number below `end`, for one operation of one batch; `draw` is the section's. The mixing is splitmix64's
// (Steele, Lea and Flood, OOPSLA 2014).
static inline uint64_t draw_below(uint64_t draw, unsigned batch, uint64_t item, uint64_t end)
{
    uint64_t z = draw + (((uint64_t)batch << 40) + item + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (z ^ (z >> 31)) % end;
}
