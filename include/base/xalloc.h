// xalloc.h: memory that is there, or the program ends. Running out of it is not an error that anybody could
// act on.
#pragma once

#include <stddef.h>

void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size); // zeroed; aborts where count * size overflows
void *xrealloc_array(void *memory, size_t count, size_t size);
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t length);
char *xformat(const char *format, ...) __attribute__((format(printf, 1, 2))); // the caller frees
