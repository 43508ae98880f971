// method.h: how a run was measured and what it can't say, in sentences made from what was done; and what was
// measured, where and when.
#pragma once

#include "analysis/page.h"

// Fills in the page's facts, method and limitations.
void method_make(struct page *page, const struct run *run, const struct judgement *judgement);
