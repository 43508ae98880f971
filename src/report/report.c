#include "report/report.h"

#include "report/csv.h"
#include "report/html.h"
#include "report/json.h"
#include "report/markdown.h"
#include "report/text.h"

#include <string.h>

const struct report_format report_formats[] = {
    {"text", report_text_page}, {"markdown", report_markdown}, {"html", report_html},
    {"csv", report_csv},        {"json", report_json},         {NULL, NULL},
};

const struct report_format *report_format_by_name(const char *name)
{
    for (const struct report_format *format = report_formats; format->name; format++)
        if (strcmp(format->name, name) == 0)
            return format;
    return NULL;
}

void report_put_names(struct text *out)
{
    for (const struct report_format *format = report_formats; format->name; format++)
        text_printf(out, "%s%s", format == report_formats ? "" : ", ", format->name);
}
