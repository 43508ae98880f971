// notes.h: the sentences below the table: what failed, what was left out and why, what the figures stand on.
#pragma once

#include "analysis/page.h"
#include "record/metrics.h"
#include "record/run.h"

// Appends them to a page that has its columns and rows, most important first.
void notes_make(struct page *page, const struct run *run, const struct metrics *metrics);
