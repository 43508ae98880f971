// report.h: the formats that a run can be shown in.
//
// The page (analysis/page.h) is made once; each format lays it out and escapes what is foreign in its own
// way. Strings of a page are already safe for a terminal: no control characters, valid UTF-8, nothing that
// reorders text.
#pragma once

#include "analysis/page.h"
#include "base/text.h"
#include "record/judgement.h"
#include "record/run.h"

struct report {
    const struct run *run;
    const struct judgement *judgement; // of that run
    const struct page *page;           // of both
};

struct report_format {
    const char *name;
    void (*write)(const struct report *report, struct text *out);
};

extern const struct report_format report_formats[]; // ends with name NULL

const struct report_format *report_format_by_name(const char *name); // NULL where there is none

// Appends "text, markdown, html, csv, json".
void report_put_names(struct text *out);
