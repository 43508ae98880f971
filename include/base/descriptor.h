// descriptor.h: what a file descriptor needs beyond a system call.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Writes all of it, also past signals and in pieces. Where that can't be, false, with the reason in errno.
bool descriptor_write(int fd, const char *bytes, size_t length);
