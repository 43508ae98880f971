// aligned.c: aligned memory, touched.
#include "engine/aligned.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *aligned_zeroed(size_t alignment, size_t size)
{
    size_t whole = (size + alignment - 1) / alignment * alignment;
    void *memory = whole < size ? NULL : aligned_alloc(alignment, whole ? whole : alignment);
    if (!memory) {
        fprintf(stderr, "diskduel: out of memory (%zu bytes)\n", size);
        abort();
    }
    return memset(memory, 0, whole);
}
