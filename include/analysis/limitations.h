// limitations.h: what a run can't say, in sentences made from what was done and from what the rules found.
#pragma once

#include "analysis/page.h"
#include "record/judgement.h"
#include "record/run.h"

#include <stdbool.h>

// Fills in the page's limitations; it has its columns.
void limitations_make(struct page *page, const struct run *run, const struct judgement *judgement);

// Whether what a rule finds without a mark is one of the limitations, and so needn't be said elsewhere.
bool limitations_have(const char *rule);
