// facts.h: what a disk and the machine are, as lines of text: a label, and what is known. What isn't known
// has no line.
#pragma once

#include "base/text.h"
#include "record/host.h"
#include "record/run.h"

enum { FACT_COLUMNS = 12 }; // that an ordinary label takes, with the blank behind it

// Appends "LABEL  VALUE": the value, foreign text made safe already, in lines of 80 columns. Nothing for an
// empty value.
void facts_put(struct text *out, const char *label, const char *value);

// The same with labels that take so many columns.
void facts_put_beside(struct text *out, const char *label, int label_columns, const char *value);

// What a tier that isn't null: lies on.
void facts_put_disk(struct text *out, const struct run_tier *tier);

// The machine, as far as it can change a figure.
void facts_put_host(struct text *out, const struct host *host);
