// edit.h: a fixture's document with one thing in it changed, to see that it is read or refused.
#pragma once

#include "fixture.h"

// The document of `make` with the first `from` after `after` made `to`.
static inline void edit_document(void (*make)(struct run *run), const char *after, const char *from,
                                 const char *to, struct text *out)
{
    struct text document;
    fixture_write(make, &document);
    char *begin = strstr(document.bytes, after);
    if (!begin)
        fail_msg("no %s in the document", after);
    char *at = strstr(begin, from);
    if (!at)
        fail_msg("no %s after %s", from, after);
    *out = (struct text){0};
    text_append(out, document.bytes, (size_t)(at - document.bytes));
    text_puts(out, to);
    text_puts(out, at + strlen(from));
    text_free(&document);
}

static inline void edit_is_refused(void (*make)(struct run *run), const char *after, const char *from,
                                   const char *to, const char *message)
{
    struct text document;
    struct run run;
    struct judgement stored;
    struct error error = {{0}};
    edit_document(make, after, from, to, &document);
    if (fixture_read(document.bytes, document.length, &run, &stored, &error))
        fail_msg("%s instead of %s was read", to, from);
    if (strncmp(error.text, message, strlen(message)) != 0)
        fail_msg("said \"%s\", not \"%s\"", error.text, message);
    assert_null(run.samples);
    assert_null(run.summaries.list);
    assert_null(stored.metrics.rows);
    assert_null(stored.headline);
    text_free(&document);
}

// What is read is the caller's to release.
static inline void edit_is_read(void (*make)(struct run *run), const char *after, const char *from,
                                const char *to, struct run *run, struct judgement *stored)
{
    struct text document;
    struct error error = {{0}};
    edit_document(make, after, from, to, &document);
    if (!fixture_read(document.bytes, document.length, run, stored, &error))
        fail_msg("%s instead of %s: %s", to, from, error.text);
    text_free(&document);
}
