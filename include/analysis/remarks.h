// remarks.h: what the rules found, as a page says it: the same sentence once, with all that it is about; and
// a number for each that marks a row.
#pragma once

#include "analysis/page.h"

// Fills in the findings of a page that has its columns and rows, and the marks of the rows.
void remarks_make(struct page *page, const struct judgement *judgement);
