// markdown.h: the page in GitHub's Markdown. What a page says is text and stays it: everything that Markdown
// or HTML would obey is escaped.
#pragma once

#include "base/text.h"
#include "report/report.h"

void report_markdown(const struct report *report, struct text *out);
