// The manual page names every command, option, key and workload that the program's tables hold.
#include "analysis/trust.h"
#include "cli/command.h"
#include "cli/options.h"
#include "record/thresholds.h"
#include "spec/profile.h"
#include "spec/workload.h"
#include "tui/keymap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// The page's source without the backslashes of roff.
static char page[64 * 1024];

static int read_page(void **state)
{
    (void)state;
    FILE *file = fopen(MANUAL_PAGE, "r");
    if (!file)
        return -1;
    size_t length = 0;
    int byte;
    while ((byte = fgetc(file)) != EOF && length + 1 < sizeof page)
        if (byte != '\\')
            page[length++] = (char)byte;
    page[length] = '\0';
    return fclose(file);
}

static const char *section(const char *heading)
{
    char line[64];
    snprintf(line, sizeof line, "\n.Sh %s\n", heading);
    const char *start = strstr(page, line);
    assert_non_null(start);
    return start + 1;
}

// Whether a line of the section has the text as a word of its own.
static bool section_has(const char *heading, const char *start_of_line, const char *word)
{
    const char *from = section(heading);
    const char *to = strstr(from, "\n.Sh ");
    size_t length = strlen(word);
    for (const char *at = from; (at = strstr(at, word)) && (!to || at < to); at++) {
        const char *line = at;
        while (line > from && line[-1] != '\n')
            line--;
        bool whole = at[-1] == ' ' && (at[length] == ' ' || at[length] == '\n');
        if (whole && strncmp(line, start_of_line, strlen(start_of_line)) == 0)
            return true;
    }
    return false;
}

static void assert_has(const char *heading, const char *start_of_line, const char *word)
{
    if (!section_has(heading, start_of_line, word))
        fail_msg("the section %s doesn't have \"%s\"", heading, word);
}

static void every_command_is_there(void **state)
{
    (void)state;
    for (size_t i = 0; commands[i]; i++)
        assert_has("COMMANDS", ".It Nm Cm", commands[i]->name);
}

static void every_option_is_there(void **state)
{
    (void)state;
    for (const struct option_entry *entry = option_entries; entry->name; entry++) {
        char word[64];
        snprintf(word, sizeof word, "-%s", entry->name);
        assert_has("OPTIONS", ".It Fl", word);
        if (entry->letter) {
            snprintf(word, sizeof word, "%c", entry->letter);
            assert_has("OPTIONS", ".It Fl", word);
        }
        if (entry->argument)
            assert_has("OPTIONS", ".It Fl", entry->argument);
    }
}

static void no_option_is_there_that_is_not_taken(void **state)
{
    (void)state;
    const char *end = strstr(section("OPTIONS"), "\n.Sh ");
    size_t found = 0, entries = 0;
    for (const char *at = section("OPTIONS"); (at = strstr(at, "\n.It Fl")) && at < end; at++)
        found++;
    for (const struct option_entry *entry = option_entries; entry->name; entry++) {
        bool before = false; // an option may mean something else to another command
        for (const struct option_entry *other = option_entries; other != entry; other++)
            before = before || strcmp(other->name, entry->name) == 0;
        entries += !before;
    }
    assert_int_equal(found, entries);
}

static void every_key_is_there(void **state)
{
    (void)state;
    for (size_t i = 0; i < key_binding_count; i++) {
        // "?" begins with a sign that keeps roff from taking it for punctuation; the backslash is gone.
        char word[64];
        bool is_mark = strcmp(key_bindings[i].key, "?") == 0;
        snprintf(word, sizeof word, "%s%s", is_mark ? "&" : "", key_bindings[i].key);
        assert_has("KEYS", ".It Ic", word);
    }
}

static void every_workload_is_there(void **state)
{
    (void)state;
    for (const struct workload_variant *variant = workload_variants; variant->id; variant++)
        if (!section_has("WORKLOADS", ".It Cm", variant->id))
            assert_has("WORKLOADS", ".Cm", variant->id);
    assert_has("WORKLOADS", ".It Cm", "seq-write-N");
}

static void every_profile_is_there(void **state)
{
    (void)state;
    for (const struct profile *profile = profiles; profile->id; profile++)
        assert_has("PROFILES", ".It Cm", profile->id);
}

static void every_threshold_is_there_with_its_standard(void **state)
{
    (void)state;
    for (size_t i = 0; i < THRESHOLD_COUNT; i++) {
        char words[128];
        snprintf(words, sizeof words, "%s No %.15g", threshold_entries[i].name,
                 threshold_entries[i].standard);
        assert_has("THRESHOLDS", ".It Cm", words);
    }
}

static void every_rule_is_there_with_its_verdict(void **state)
{
    (void)state;
    for (const struct rule *rule = rules; rule->id; rule++) {
        char words[128];
        snprintf(words, sizeof words, "%s No (%s)", rule->id, verdict_name(rule->verdict));
        assert_has("RULES", ".It Cm", words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_is_there),
        cmocka_unit_test(every_option_is_there),
        cmocka_unit_test(no_option_is_there_that_is_not_taken),
        cmocka_unit_test(every_key_is_there),
        cmocka_unit_test(every_workload_is_there),
        cmocka_unit_test(every_profile_is_there),
        cmocka_unit_test(every_threshold_is_there_with_its_standard),
        cmocka_unit_test(every_rule_is_there_with_its_verdict),
    };
    return cmocka_run_group_tests(tests, read_page, NULL);
}
