// The console in a terminal: what a person sees, and how the terminal is left behind.
#include "terminal.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

// Generous: a sanitizer build on a busy machine is slow. Nothing here asserts how long something took.
enum { PATIENCE = 60 };

static char *program;

// A directory to measure, a place for runs, more options where a test has some, and the program's terminal.
struct fixture {
    const char *const *options; // NULL at the end; NULL for none
    char folder[64];
    char directory[96];
    char state[128];
    struct terminal *terminal;
};

static int setup(void **state)
{
    static struct fixture fixture;
    fixture = (struct fixture){.folder = "/tmp/diskduel-test-XXXXXX"};
    if (!mkdtemp(fixture.folder))
        return -1;
    snprintf(fixture.directory, sizeof fixture.directory, "%s/disk", fixture.folder);
    snprintf(fixture.state, sizeof fixture.state, "XDG_STATE_HOME=%s/state", fixture.folder);
    *state = &fixture;
    return mkdir(fixture.directory, 0700);
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    if (fixture->terminal)
        terminal_end(fixture->terminal);
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", fixture->folder);
    return system(command) == 0 ? 0 : -1;
}

static void start_with(struct fixture *fixture, const char *rounds, const char *const extra[], int width,
                       int height)
{
    enum { ARGUMENTS_MOST = 24 };
    char second[128];
    snprintf(second, sizeof second, "two=%s", fixture->directory);
    const char *const always[] = {
        "--workloads", "create,walk,delete", "--rounds", rounds, "--files", "200", "--seed",
        "7",           "one=null:",          second};
    char *arguments[ARGUMENTS_MOST] = {program};
    size_t count = 1;
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        arguments[count++] = (char *)always[i];
    for (size_t i = 0; fixture->options && fixture->options[i]; i++)
        arguments[count++] = (char *)fixture->options[i];
    assert_true(count < ARGUMENTS_MOST);
    const char *environment[16] = {"TERM=xterm-256color", "LC_ALL=C.UTF-8", "NO_COLOR", "COLORTERM",
                                   fixture->state};
    for (size_t i = 0; extra && extra[i]; i++)
        environment[5 + i] = extra[i];
    fixture->terminal = terminal_start(arguments, environment, width, height);
}

// A run that goes on until it is stopped.
static struct terminal *start(struct fixture *fixture, const char *const extra[])
{
    start_with(fixture, "500", extra, 80, 24);
    return fixture->terminal;
}

static void assert_shows(struct terminal *terminal, const char *text)
{
    if (terminal_shows(terminal, text, PATIENCE))
        return;
    fprintf(stderr, "%s\n", terminal_text(terminal)); // longer than a message may be
    fail_msg("\"%s\" isn't on the screen", text);
}

static void assert_measuring(struct terminal *terminal)
{
    assert_shows(terminal, "round 1 of");
}

static void assert_exits(struct terminal *terminal, int expected)
{
    int status = terminal_wait(terminal, PATIENCE);
    assert_int_not_equal(status, -1);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != expected)
        fail_msg("wait status %x, not exit status %d:\n%s", (unsigned)status, expected,
                 terminal_text(terminal));
}

static void assert_terminal_whole(struct terminal *terminal)
{
    struct termios now, before;
    terminal_modes(terminal, &now, &before);
    assert_int_equal(now.c_iflag, before.c_iflag);
    assert_int_equal(now.c_oflag, before.c_oflag);
    assert_int_equal(now.c_cflag, before.c_cflag);
    assert_int_equal(now.c_lflag, before.c_lflag);
    assert_memory_equal(now.c_cc, before.c_cc, sizeof now.c_cc);
    assert_false(terminal_on_alternate_screen(terminal));
    assert_true(terminal_cursor_visible(terminal));
}

static bool lies_in(const char *directory, const char *name)
{
    char command[192];
    snprintf(command, sizeof command, "test -n \"$(ls -A '%s' | grep '%s')\"", directory, name);
    return system(command) == 0;
}

static void assert_nothing_left(const struct fixture *fixture)
{
    assert_false(lies_in(fixture->directory, "."));
}

// The supervisor's only child.
static pid_t supervised(const struct terminal *terminal)
{
    char path[64];
    int pid = (int)terminal_program(terminal);
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", pid, pid);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[32] = "";
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    pid_t child = (pid_t)strtol(line, NULL, 10);
    assert_true(child > 0);
    return child;
}

// Whether a process goes on. One that has ended stays a zombie (state Z) where nobody fetches its status, as
// in a container whose first process doesn't.
static bool goes_on(pid_t pid)
{
    char path[64], line[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    size_t length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[length] = '\0';
    const char *state = strrchr(line, ')'); // a name may hold anything
    return state && strncmp(state, ") Z", 3) != 0;
}

static size_t count_bytes(const struct terminal *terminal, const char *needle)
{
    size_t length, found = 0, size = strlen(needle);
    const char *bytes = terminal_bytes(terminal, &length);
    for (size_t i = 0; i + size <= length; i++)
        found += memcmp(bytes + i, needle, size) == 0;
    return found;
}

static void both_disks_are_shown_and_q_leads_to_results(void **state)
{
    struct fixture *fixture = *state;
    struct terminal *terminal = start(fixture, NULL);
    assert_measuring(terminal);
    assert_shows(terminal, "A one");
    assert_shows(terminal, "B two");
    assert_shows(terminal, "so far");
    assert_true(terminal_on_alternate_screen(terminal));
    terminal_type(terminal, "q");
    assert_shows(terminal, "Stopped in");
    terminal_type(terminal, "G"); // to the end, below all that the rules say
    assert_shows(terminal, "Saved as");
    assert_nothing_left(fixture);
    terminal_type(terminal, "q");
    assert_exits(terminal, 0);
    assert_terminal_whole(terminal);
    assert_non_null(strstr(terminal_text(terminal), "saved as"));
    assert_non_null(strstr(terminal_text(terminal), "A one"));
}

static void a_run_that_ends_shows_its_results(void **state)
{
    struct fixture *fixture = *state;
    start_with(fixture, "1", NULL, 120, 40);
    struct terminal *terminal = fixture->terminal;
    assert_shows(terminal, "Not checked: ");
    terminal_type(terminal, "G");
    assert_shows(terminal, "Saved as");
    terminal_type(terminal, "q");
    assert_exits(terminal, 0);
    assert_terminal_whole(terminal);
    assert_nothing_left(fixture);
}

// The line of the table that begins with a label, without its frame.
static bool row_of(struct terminal *terminal, const char *label, char *row, size_t size)
{
    char begins[32];
    snprintf(begins, sizeof begins, "\n│ %s ", label);
    const char *at = strstr(terminal_text(terminal), begins);
    if (!at)
        return false;
    at += strlen("\n│ ");
    const char *end = strstr(at, " │\n");
    if (!end || (size_t)(end - at) >= size)
        return false;
    snprintf(row, size, "%.*s", (int)(end - at), at);
    for (size_t length = strlen(row); length > 0 && row[length - 1] == ' '; length--)
        row[length - 1] = '\0';
    return true;
}

static bool ends_in(const char *string, const char *end)
{
    size_t length = strlen(string), size = strlen(end);
    return length >= size && strcmp(string + length - size, end) == 0;
}

static void nothing_is_decided_while_rounds_are_missing(void **state)
{
    struct terminal *terminal = start(*state, NULL);
    char row[512];
    assert_shows(terminal, "round 3 of");
    assert_shows(terminal, "so far");
    assert_shows(terminal, "… │");
    // The panes name the workload too, above the table.
    const char *table = strstr(terminal_text(terminal), "so far");
    assert_non_null(table);
    assert_null(strstr(table, "!1"));
    assert_null(strstr(table, "✗"));
    assert_null(strstr(table, "✓"));
    assert_null(strstr(table, "discarded"));
    terminal_type(terminal, "q");
    assert_shows(terminal, "Stopped in");
    assert_true(row_of(terminal, "create", row, sizeof row));
    assert_false(ends_in(row, "…"));
    terminal_type(terminal, "q");
    assert_exits(terminal, 0);
}

// Each number that a row is marked with stands before a sentence below.
static void assert_marks_explained(struct terminal *terminal, const char *row)
{
    const char *marks = strrchr(row, ' ');
    assert_non_null(marks);
    marks++;
    bool discarded = strncmp(marks, "✗", strlen("✗")) == 0;
    assert_true(discarded || *marks == '!');
    marks += discarded ? strlen("✗") : 1;
    for (char *end = NULL; *marks; marks = *end ? end + 1 : end) {
        char caveat[16], discard[16];
        unsigned long mark = strtoul(marks, &end, 10);
        assert_true(mark > 0 && (*end == ',' || *end == '\0'));
        snprintf(caveat, sizeof caveat, "\n│ !%lu ", mark);
        snprintf(discard, sizeof discard, "\n│ ✗%lu ", mark);
        if (!strstr(terminal_text(terminal), caveat) && !strstr(terminal_text(terminal), discard))
            fail_msg("mark %lu of \"%s\" means nothing:\n%s", mark, row, terminal_text(terminal));
    }
}

static void results_tell_the_headline_and_what_marks_mean(void **state)
{
    // A disk that does nothing is quick, and two rounds are few: what takes either away is off.
    static const char *const options[] = {
        "--threshold", "too-short.discard-ms=0",     "--threshold", "overhead-floor.discard=1",
        "--threshold", "not-repeatable.factor=1000", "--threshold", "first-round-differs.factor=1000",
        NULL};
    static const char *const labels[] = {"create", "walk", "delete"};
    struct fixture *fixture = *state;
    fixture->options = options;
    start_with(fixture, "2", NULL, 150, 60);
    struct terminal *terminal = fixture->terminal;
    assert_shows(terminal, "Saved as");
    assert_shows(terminal, "A one is nowhere clearly slower");
    assert_shows(terminal, "Two values, and the middle between them is no median");
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        char row[512];
        assert_true(row_of(terminal, labels[i], row, sizeof row));
        assert_non_null(strstr(row, "faster"));
        assert_marks_explained(terminal, row);
    }
    terminal_type(terminal, "q");
    assert_exits(terminal, 0);
}

static void a_small_window_says_so_and_recovers(void **state)
{
    struct terminal *terminal = start(*state, NULL);
    assert_measuring(terminal);
    for (int i = 0; i < 3; i++) {
        terminal_resize(terminal, 60, 15);
        assert_shows(terminal, "needs 80x24, has 60x15");
        terminal_resize(terminal, 80, 24);
        assert_shows(terminal, "so far");
    }
    terminal_resize(terminal, 120, 40);
    assert_shows(terminal, "so far");
    terminal_resize(terminal, 1, 1);
    terminal_settle(terminal, 300);
    terminal_resize(terminal, 40, 10);
    assert_shows(terminal, "needs 80x24, has 40x10");
    terminal_type(terminal, "q"); // its keys work there too
    terminal_resize(terminal, 80, 24);
    assert_shows(terminal, "Stopped in");
    terminal_type(terminal, "q");
    assert_exits(terminal, 0);
}

static void space_freezes_the_picture(void **state)
{
    struct terminal *terminal = start(*state, NULL);
    assert_measuring(terminal);
    terminal_type(terminal, " ");
    assert_shows(terminal, "FROZEN");
    terminal_type(terminal, " ");
    assert_shows(terminal, "freeze");
    terminal_type(terminal, "?");
    assert_shows(terminal, "leave this workload out");
    terminal_type(terminal, "q"); // closes the help and nothing else
    assert_shows(terminal, "freeze");
    terminal_type(terminal, "qq");
    assert_exits(terminal, 0);
    assert_terminal_whole(terminal);
}

static void skipping_leaves_a_workload_out(void **state)
{
    struct fixture *fixture = *state;
    struct terminal *terminal = start(fixture, NULL);
    assert_measuring(terminal);
    terminal_type(terminal, "n");
    assert_shows(terminal, "skipped");
    terminal_type(terminal, "q");
    assert_shows(terminal, "the user left it out");
    terminal_type(terminal, "q");
    assert_exits(terminal, 0);
    assert_nothing_left(fixture);
}

static void ends_by_signal(struct fixture *fixture, int number, bool by_key)
{
    struct terminal *terminal = start(fixture, NULL);
    assert_measuring(terminal);
    if (by_key)
        terminal_type(terminal, "\003");
    else
        kill(terminal_program(terminal), number);
    assert_exits(terminal, 128 + number);
    assert_terminal_whole(terminal);
    assert_nothing_left(fixture);
    assert_non_null(strstr(terminal_text(terminal), "saved as"));
}

static void control_c_saves_and_leaves(void **state)
{
    ends_by_signal(*state, SIGINT, true);
}

static void sigint_saves_and_leaves(void **state)
{
    ends_by_signal(*state, SIGINT, false);
}

static void sigterm_saves_and_leaves(void **state)
{
    ends_by_signal(*state, SIGTERM, false);
}

static void sighup_saves_and_leaves(void **state)
{
    ends_by_signal(*state, SIGHUP, false);
}

static void sigquit_saves_and_leaves(void **state)
{
    ends_by_signal(*state, SIGQUIT, false);
}

static void a_killed_program_leaves_the_terminal_whole(void **state)
{
    struct fixture *fixture = *state;
    struct terminal *terminal = start(fixture, NULL);
    assert_measuring(terminal);
    kill(supervised(terminal), SIGKILL);
    assert_exits(terminal, 137);
    assert_terminal_whole(terminal);
    assert_non_null(strstr(terminal_text(terminal), "SIGKILL"));
    assert_true(lies_in(fixture->directory, "diskduel"));
    char command[512];
    snprintf(command, sizeof command, "'%s' clean '%s' >/dev/null", program, fixture->directory);
    assert_int_equal(system(command), 0);
    assert_nothing_left(fixture);
}

static void a_killed_supervisor_ends_the_program(void **state)
{
    struct fixture *fixture = *state;
    struct terminal *terminal = start(fixture, NULL);
    assert_measuring(terminal);
    pid_t child = supervised(terminal);
    kill(terminal_program(terminal), SIGKILL);
    terminal_wait(terminal, PATIENCE);
    for (int i = 0; i < PATIENCE * 10 && goes_on(child); i++)
        terminal_settle(terminal, 100);
    assert_false(goes_on(child));
    assert_nothing_left(fixture);
    assert_terminal_whole(terminal);
}

static void a_terminal_that_takes_nothing_holds_no_signal_up(void **state)
{
    struct fixture *fixture = *state;
    struct terminal *terminal = start(fixture, NULL);
    assert_measuring(terminal);
    terminal_type(terminal, "\023"); // Ctrl-S
    terminal_settle(terminal, 1000);
    kill(terminal_program(terminal), SIGTERM);
    for (int i = 0; i < PATIENCE * 10 && lies_in(fixture->directory, "."); i++)
        usleep(100000);
    assert_nothing_left(fixture);
    terminal_type(terminal, "\021"); // Ctrl-Q
    assert_exits(terminal, 128 + SIGTERM);
    assert_terminal_whole(terminal);
}

static void a_terminal_that_goes_away_ends_the_program(void **state)
{
    struct fixture *fixture = *state;
    struct terminal *terminal = start(fixture, NULL);
    assert_measuring(terminal);
    pid_t child = supervised(terminal);
    terminal_hang_up(terminal);
    assert_exits(terminal, 128 + SIGHUP);
    assert_false(goes_on(child));
    assert_nothing_left(fixture);
}

static void without_a_terminal_entry_one_is_compiled_in(void **state)
{
    static const char *const unset[] = {"TERM", "TERMINFO_DIRS", NULL};
    struct terminal *terminal = start(*state, unset);
    assert_measuring(terminal);
    terminal_type(terminal, "qq");
    assert_exits(terminal, 0);
    assert_terminal_whole(terminal);
    assert_non_null(strstr(terminal_text(terminal), "TERM is not set"));
}

static void an_unknown_terminal_is_taken_for_xterm(void **state)
{
    static const char *const unknown[] = {"TERM=xterm-nobody-knows", NULL};
    struct terminal *terminal = start(*state, unknown);
    assert_measuring(terminal);
    terminal_type(terminal, "qq");
    assert_exits(terminal, 0);
    assert_terminal_whole(terminal);
    assert_non_null(strstr(terminal_text(terminal), "TERM=xterm-nobody-knows is unknown here"));
}

static void a_dumb_terminal_is_refused_in_a_line(void **state)
{
    static const char *const dumb[] = {"TERM=dumb", NULL};
    struct fixture *fixture = *state;
    struct terminal *terminal = start(fixture, dumb);
    assert_exits(terminal, 2);
    assert_terminal_whole(terminal);
    assert_non_null(strstr(terminal_text(terminal), "diskduel run"));
    assert_int_equal(count_bytes(terminal, "\033"), 0);
    assert_nothing_left(fixture);
}

// Whether any SGR sequence in the bytes sets a colour.
static bool has_colour(const struct terminal *terminal)
{
    size_t length;
    const char *bytes = terminal_bytes(terminal, &length);
    for (size_t i = 0; i + 2 < length; i++) {
        if (bytes[i] != '\033' || bytes[i + 1] != '[')
            continue;
        size_t end = i + 2;
        long number = 0;
        bool colour = false;
        for (; end < length && strchr("0123456789;:", bytes[end]) && bytes[end]; end++) {
            bool digit = bytes[end] >= '0' && bytes[end] <= '9';
            number = digit ? number * 10 + (bytes[end] - '0') : 0;
            bool last = end + 1 < length && !(bytes[end + 1] >= '0' && bytes[end + 1] <= '9');
            colour = colour || (digit && last &&
                                ((number >= 30 && number <= 38) || (number >= 40 && number <= 48) ||
                                 (number >= 90 && number <= 107)));
        }
        if (colour && end < length && bytes[end] == 'm')
            return true;
    }
    return false;
}

static void there_are_colours(void **state)
{
    struct terminal *terminal = start(*state, NULL);
    assert_measuring(terminal);
    terminal_type(terminal, "qq");
    assert_exits(terminal, 0);
    assert_true(has_colour(terminal));
}

static void no_color_means_none(void **state)
{
    static const char *const no_color[] = {"NO_COLOR=1", NULL};
    struct terminal *terminal = start(*state, no_color);
    assert_measuring(terminal);
    terminal_type(terminal, "qq");
    assert_exits(terminal, 0);
    assert_false(has_colour(terminal));
}

static void another_character_set_means_ascii(void **state)
{
    static const char *const c[] = {"LC_ALL=C", NULL};
    struct terminal *terminal = start(*state, c);
    assert_measuring(terminal);
    assert_shows(terminal, "so far");
    terminal_type(terminal, "qq");
    assert_exits(terminal, 0);
    size_t length;
    const char *bytes = terminal_bytes(terminal, &length);
    for (size_t i = 0; i < length; i++)
        assert_true((unsigned char)bytes[i] < 0x80);
}

static void the_screen_is_not_cleared_again_and_again(void **state)
{
    struct terminal *terminal = start(*state, NULL);
    assert_measuring(terminal);
    assert_shows(terminal, "round 2 of");
    assert_shows(terminal, "round 3 of");
    assert_true(count_bytes(terminal, "\033[2J") + count_bytes(terminal, "\033[J") <= 3);
    terminal_type(terminal, "qq");
    assert_exits(terminal, 0);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s PROGRAM\n", argv[0]);
        return 2;
    }
    program = argv[1];
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(both_disks_are_shown_and_q_leads_to_results),
        TEST(a_run_that_ends_shows_its_results),
        TEST(nothing_is_decided_while_rounds_are_missing),
        TEST(results_tell_the_headline_and_what_marks_mean),
        TEST(a_small_window_says_so_and_recovers),
        TEST(space_freezes_the_picture),
        TEST(skipping_leaves_a_workload_out),
        TEST(control_c_saves_and_leaves),
        TEST(sigint_saves_and_leaves),
        TEST(sigterm_saves_and_leaves),
        TEST(sighup_saves_and_leaves),
        TEST(sigquit_saves_and_leaves),
        TEST(a_killed_program_leaves_the_terminal_whole),
        TEST(a_killed_supervisor_ends_the_program),
        TEST(a_terminal_that_takes_nothing_holds_no_signal_up),
        TEST(a_terminal_that_goes_away_ends_the_program),
        TEST(without_a_terminal_entry_one_is_compiled_in),
        TEST(an_unknown_terminal_is_taken_for_xterm),
        TEST(a_dumb_terminal_is_refused_in_a_line),
        TEST(there_are_colours),
        TEST(no_color_means_none),
        TEST(another_character_set_means_ascii),
        TEST(the_screen_is_not_cleared_again_and_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
