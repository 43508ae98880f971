// circumstances.h: what was measured, where and when, a line each: title, disks, time, plan, machine, notes.
#pragma once

#include "analysis/page.h"
#include "record/run.h"

// Fills in the page's facts; it has its columns. What isn't known isn't said.
void circumstances_make(struct page *page, const struct run *run);
