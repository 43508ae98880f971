// aligned.h: memory that lies where its user needs it, and is there before the clock runs.
#pragma once

#include <stddef.h>

// Zeroed, and so touched: no page of it faults later. Aborts where there is none, as xmalloc does. free()
// frees it.
void *aligned_zeroed(size_t alignment, size_t size);
