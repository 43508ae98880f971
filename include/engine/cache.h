// cache.h: a file's pages in the page cache: how many there are, and getting rid of them.
//
// mincore on a mapping tells the truth on every file system that was tried (never cachestat, which answers 0
// on overlayfs), for files that we own. Eviction is fsync, since dirty pages stay, and
// posix_fadvise(POSIX_FADV_DONTNEED), which is advice: what stays is counted, not assumed.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CACHE_TRIES = 3, CACHE_REST_MS = 100 };

// Adds the pages of the first `bytes` of an open file, and those of them that are resident. False, with
// errno, where it can't be told (a file that can't be mapped).
bool cache_residency(int fd, uint64_t bytes, uint64_t *pages, uint64_t *resident);

// Asks to drop all pages, up to CACHE_TRIES times, CACHE_REST_MS apart while more than one in a hundred
// stays, though some went. False, with errno, where a call failed; what stays is for cache_residency to tell.
bool cache_evict(int fd, uint64_t bytes);
