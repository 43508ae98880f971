// times.h: times as knobs have them: whole numbers with a unit, 0, 250us, 8ms, 2s.
#pragma once

#include "base/error.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

bool time_parse(const char *text, uint64_t *ns, struct error *error);
void time_put(struct text *text, uint64_t ns);
