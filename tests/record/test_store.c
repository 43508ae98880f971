#include "fixture.h"
#include "record/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int test_store(int argc, char *argv[]);

// A folder of the test's own; paths below it are made by `below`.
struct folder {
    char path[64];
    char *paths[32];
    size_t count;
    mode_t umask;
};

static const char *below(struct folder *folder, const char *name)
{
    assert_true(folder->count < sizeof folder->paths / sizeof *folder->paths);
    folder->paths[folder->count] = xformat("%s/%s", folder->path, name);
    return folder->paths[folder->count++];
}

static int set_up(void **state)
{
    struct folder *folder = xcalloc(1, sizeof *folder);
    snprintf(folder->path, sizeof folder->path, "/tmp/diskduel-store-XXXXXX");
    assert_non_null(mkdtemp(folder->path));
    folder->umask = umask(022);
    *state = folder;
    return 0;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)status, (void)type, (void)where;
    return remove(path);
}

static int tear_down(void **state)
{
    struct folder *folder = *state;
    umask(folder->umask);
    assert_int_equal(nftw(folder->path, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
    while (folder->count > 0)
        free(folder->paths[--folder->count]);
    free(folder);
    return 0;
}

static void put_file(const char *path, const char *content)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs(content, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void assert_content(const char *path, const char *content)
{
    char bytes[256] = {0};
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, sizeof bytes - 1, file), strlen(content));
    assert_string_equal(bytes, content);
    fclose(file);
}

static size_t files_in(const char *path)
{
    DIR *folder = opendir(path);
    assert_non_null(folder);
    size_t files = 0;
    for (struct dirent *entry; (entry = readdir(folder));)
        files += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return files;
}

static void save(const struct store_place *place, const char *content)
{
    struct text document = {0};
    struct error error = {{0}};
    text_puts(&document, content);
    if (!store_save(place, &document, &error))
        fail_msg("%s", error.text);
    text_free(&document);
}

static void open_place(struct store_place *place, const char *runs, const char *output, const char *id)
{
    struct error error = {{0}};
    if (!store_open(place, runs, output, id, &error))
        fail_msg("%s", error.text);
}

static void assert_not_opened(const char *runs, const char *output, const char *message)
{
    struct store_place place;
    struct error error = {{0}};
    assert_false(store_open(&place, runs, output, "20261130T175535Z-3f2a9c", &error));
    if (!strstr(error.text, message))
        fail_msg("said \"%s\", not \"%s\"", error.text, message);
    assert_int_equal(place.folder, -1);
    assert_null(place.name);
    assert_null(place.path);
}

#define DOCUMENT "{\n\"format\": \"diskduel-run\",\n\"version\": 1}\n"

// ---- Where runs are kept ----

static void finds_the_folder_for_runs(void **state)
{
    (void)state;
    static const struct {
        const char *runs, *state_home, *home, *folder;
    } cases[] = {
        {"/r", "/state", "/home/x", "/r"},
        {"r", "/state", "/home/x", "r"},
        {NULL, "/state", "/home/x", "/state/diskduel/runs"},
        {NULL, "relative", "/home/x", "/home/x/.local/state/diskduel/runs"},
        {NULL, "", "/home/x", "/home/x/.local/state/diskduel/runs"},
        {NULL, NULL, "/home/x", "/home/x/.local/state/diskduel/runs"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error;
        if (cases[i].state_home)
            setenv("XDG_STATE_HOME", cases[i].state_home, 1);
        else
            unsetenv("XDG_STATE_HOME");
        setenv("HOME", cases[i].home, 1);
        char *folder = store_folder(cases[i].runs, &error);
        assert_string_equal(folder, cases[i].folder);
        free(folder);
    }
    struct error error;
    assert_null(store_folder("", &error));
    unsetenv("HOME"); // the user database knows one, or there is a line that says what to do
    char *folder = store_folder(NULL, &error);
    if (folder)
        assert_non_null(strstr(folder, "/.local/state/diskduel/runs"));
    else
        assert_non_null(strstr(error.text, "--runs DIR"));
    free(folder);
}

static void keeps_a_run_in_a_folder_that_it_makes(void **state)
{
    struct folder *folder = *state;
    struct store_place place;
    struct stat status;
    const char *runs = below(folder, "a/b/runs");
    umask(0777); // even so
    open_place(&place, runs, NULL, "20261130T175535Z-3f2a9c");
    umask(022);
    assert_int_equal(files_in(runs), 0); // what was tried is gone
    assert_int_equal(stat(runs, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0700);
    assert_int_equal(stat(below(folder, "a"), &status), 0);
    assert_int_equal(status.st_mode & 07777, 0700);
    umask(0777);
    save(&place, DOCUMENT);
    save(&place, DOCUMENT);
    umask(022);
    assert_int_equal(files_in(runs), 1);
    assert_content(below(folder, "a/b/runs/20261130T175535Z-3f2a9c.json"), DOCUMENT);
    assert_string_equal(place.path, below(folder, "a/b/runs/20261130T175535Z-3f2a9c.json"));
    assert_int_equal(stat(place.path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
    store_close(&place);
    assert_int_equal(place.folder, -1);
    store_close(&place);
    open_place(&place, runs, NULL, "20261130T175535Z-3f2a9d"); // the folder is there already
    store_close(&place);
}

static void refuses_a_folder_that_is_none(void **state)
{
    struct folder *folder = *state;
    const char *file = below(folder, "file");
    put_file(file, "mine");
    assert_not_opened(file, NULL, "Not a directory");
    assert_not_opened(below(folder, "file/below"), NULL, "can't make the folder");
    assert_not_opened("", NULL, "--runs: an empty path");
    assert_not_opened("/proc/diskduel", NULL, "can't make the folder /proc/diskduel: ");
    assert_content(file, "mine");
}

// ---- -o FILE ----

static void replaces_only_a_runs_document(void **state)
{
    struct folder *folder = *state;
    struct store_place place;
    const char *output = below(folder, "out.json");
    open_place(&place, NULL, output, "id");
    assert_int_equal(files_in(folder->path), 0);
    save(&place, DOCUMENT);
    save(&place, DOCUMENT);
    store_close(&place);
    assert_content(output, DOCUMENT);
    open_place(&place, NULL, output, "id"); // it is a run's document now
    assert_content(output, DOCUMENT);
    store_close(&place);
    put_file(output, "{\"format\":\"diskduel-run\"}");
    open_place(&place, NULL, output, "id");
    store_close(&place);
    static const char *const others[] = {"",
                                         "mine",
                                         "{}",
                                         "{\"format\": \"diskduel-runs\"}",
                                         "{\"a\": 1, \"format\": \"diskduel-run\"}",
                                         "\"format\": \"diskduel-run\"",
                                         "{\"format\": \"diskduel-plan\"}",
                                         "{\"format\""};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        put_file(output, others[i]);
        assert_not_opened(NULL, output, "exists and is not a run's document");
        assert_content(output, others[i]);
    }
    assert_int_equal(files_in(folder->path), 1);
}

static void refuses_what_is_no_file(void **state)
{
    struct folder *folder = *state;
    const char *directory = below(folder, "dir"), *fifo = below(folder, "fifo"),
               *link = below(folder, "link");
    const char *run = below(folder, "run.json"), *dangling = below(folder, "dangling");
    assert_int_equal(mkdir(directory, 0700), 0);
    assert_int_equal(mkfifo(fifo, 0600), 0);
    put_file(run, DOCUMENT);
    assert_int_equal(symlink(run, link), 0);
    assert_int_equal(symlink("/nowhere", dangling), 0);
    assert_not_opened(NULL, directory, "it is a directory");
    assert_not_opened(NULL, below(folder, "dir/"), "it is a directory");
    assert_not_opened(NULL, below(folder, ".."), "it is a directory");
    assert_not_opened(NULL, "/", "it is a directory");
    assert_not_opened(NULL, ".", "it is a directory");
    assert_not_opened(NULL, "", "an empty path is no file");
    assert_not_opened(NULL, fifo, "not a plain file");
    assert_not_opened(NULL, link, "not a plain file");
    assert_not_opened(NULL, dangling, "not a plain file");
    assert_not_opened(NULL, "/dev/null", "not a plain file");
    assert_not_opened(NULL, below(folder, "missing/out.json"), "No such file or directory");
    assert_not_opened(NULL, below(folder, "run.json/out.json"), "Not a directory");
    char *name = xcalloc(301, 1);
    memset(name, 'x', 300);
    assert_not_opened(NULL, below(folder, name), "File name too long");
    free(name);
    assert_not_opened(NULL, "/proc/x.json", "can't write /proc/x.json: ");
    assert_content(run, DOCUMENT);
    assert_int_equal(files_in(folder->path), 5);
}

static void leaves_nothing_where_saving_fails(void **state)
{
    struct folder *folder = *state;
    struct store_place place;
    struct text document = {0};
    struct error error = {{0}};
    const char *output = below(folder, "out.json");
    text_puts(&document, DOCUMENT);
    open_place(&place, NULL, output, "id");
    assert_int_equal(mkdir(output, 0700), 0); // somebody puts a directory in its way
    assert_false(store_save(&place, &document, &error));
    assert_non_null(strstr(error.text, output));
    assert_int_equal(files_in(folder->path), 1);
    assert_int_equal(rmdir(output), 0);
    assert_true(store_save(&place, &document, &error)); // and takes it away again
    store_close(&place);
    open_place(&place, below(folder, "gone"), NULL, "id");
    assert_int_equal(rmdir(below(folder, "gone")), 0);
    assert_false(store_save(&place, &document, &error));
    assert_non_null(strstr(error.text, "No such file or directory"));
    store_close(&place);
    text_free(&document);
}

static void assert_not_saved(const struct store_place *place, const struct text *document,
                             const char *message)
{
    struct error error = {{0}};
    assert_false(store_save(place, document, &error));
    if (!strstr(error.text, message))
        fail_msg("said \"%s\", not \"%s\"", error.text, message);
}

static void replaces_nothing_that_comes_while_a_run_goes_on(void **state)
{
    struct folder *folder = *state;
    struct store_place place;
    struct text document = {0};
    const char *output = below(folder, "out.json"), *victim = below(folder, "victim");
    text_puts(&document, DOCUMENT);
    put_file(victim, "mine");
    open_place(&place, NULL, output, "id");
    assert_int_equal(symlink(victim, output), 0);
    assert_not_saved(&place, &document, "not a plain file");
    assert_content(victim, "mine");
    assert_int_equal(unlink(output), 0);
    save(&place, DOCUMENT);
    put_file(output, "mine too");
    assert_not_saved(&place, &document, "exists and is not a run's document");
    assert_content(output, "mine too");
    assert_int_equal(files_in(folder->path), 2); // and no half-made one
    assert_int_equal(unlink(output), 0);
    save(&place, DOCUMENT);
    assert_content(output, DOCUMENT);
    store_close(&place);
    text_free(&document);
}

static void saves_nothing_that_cannot_be_read(void **state)
{
    struct folder *folder = *state;
    struct store_place place;
    struct text document = {0};
    const char *output = below(folder, "out.json");
    open_place(&place, NULL, output, "id");
    save(&place, DOCUMENT);
    text_puts(&document, DOCUMENT);
    text_repeat(&document, ' ', RUN_DOCUMENT_MOST);
    assert_not_saved(&place, &document, "longer than 128 MiB");
    assert_content(output, DOCUMENT);
    assert_int_equal(files_in(folder->path), 1);
    store_close(&place);
    text_free(&document);
}

static void gives_a_file_the_mode_of_the_umask(void **state)
{
    struct folder *folder = *state;
    static const struct {
        mode_t umask, mode;
    } cases[] = {{0, 0666}, {022, 0644}, {027, 0640}, {077, 0600}, {0777, 0600}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct store_place place;
        struct stat status;
        umask(cases[i].umask);
        open_place(&place, NULL, below(folder, "out.json"), "id");
        umask(0777); // what it is later doesn't matter
        save(&place, DOCUMENT);
        umask(022);
        assert_int_equal(stat(place.path, &status), 0);
        assert_int_equal(status.st_mode & 07777, cases[i].mode);
        store_close(&place);
    }
}

// As in /tmp: a rename onto another user's file would be refused, and not before the run is over.
static void refuses_another_users_document_in_a_sticky_folder(void **state)
{
    struct folder *folder = *state;
    const char *sticky = below(folder, "sticky"), *output = below(folder, "sticky/out.json");
    if (geteuid() != 0)
        skip();
    assert_int_equal(chmod(folder->path, 0755), 0);
    assert_int_equal(mkdir(sticky, 0700), 0);
    assert_int_equal(chmod(sticky, 01777), 0);
    put_file(output, DOCUMENT);
    assert_int_equal(seteuid(65534), 0);
    struct store_place place;
    struct error error = {{0}};
    bool opened = store_open(&place, NULL, output, "id", &error);
    assert_int_equal(seteuid(0), 0);
    assert_false(opened);
    assert_non_null(strstr(error.text, "it is another user's"));
    assert_int_equal(files_in(sticky), 1);
}

static void put_old_file(struct folder *folder, const char *name, const char *content, time_t age)
{
    const char *path = below(folder, name);
    put_file(path, content);
    struct timespec times[2] = {{.tv_sec = time(NULL) - age}, {.tv_sec = time(NULL) - age}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void sweeps_what_a_killed_save_left_and_nothing_else(void **state)
{
    struct folder *folder = *state;
    static const struct {
        const char *name, *content;
        time_t age;
        bool goes;
    } files[] = {
        {".diskduel-document-0123456789abcdef", DOCUMENT, 3600, true},
        {".diskduel-document-00000000000000aa", "", 3600, true},
        {".diskduel-document-00000000000000ab", "\n", 3600, true},
        {".diskduel-document-0123456789abcdee", DOCUMENT, 60, false},    // a save that goes on
        {".diskduel-document-0123456789abcded", DOCUMENT, -3600, false}, // by another clock
        {".diskduel-document-0123456789abcdec", "a letter", 3600, false},
        {".diskduel-document-0123456789abcdeb", "x", 3600, false},
        {".diskduel-document-0123456789ABCDEF", DOCUMENT, 3600, false},
        {".diskduel-document-0123456789abcde", DOCUMENT, 3600, false},
        {".diskduel-document-0123456789abcdef0", DOCUMENT, 3600, false},
        {"diskduel-document-0123456789abcdef", DOCUMENT, 3600, false},
        {".diskduel-document-0123456789abcdef~", DOCUMENT, 3600, false},
        {"20261130T175535Z-3f2a9c.json", DOCUMENT, 3600, false},
    };
    enum { FILES = sizeof files / sizeof *files };
    struct store_place place;
    for (size_t i = 0; i < FILES; i++)
        put_old_file(folder, files[i].name, files[i].content, files[i].age);
    const char *link = below(folder, ".diskduel-document-aaaaaaaaaaaaaaaa");
    assert_int_equal(symlink(".diskduel-document-0123456789abcdee", link), 0);
    assert_int_equal(mkdir(below(folder, ".diskduel-document-bbbbbbbbbbbbbbbb"), 0700), 0);
    assert_int_equal(mkfifo(below(folder, ".diskduel-document-cccccccccccccccc"), 0600), 0);
    open_place(&place, folder->path, NULL, "20261130T175536Z-3f2a9c");
    store_close(&place);
    size_t stay = 3;
    for (size_t i = 0; i < FILES; i++) {
        char *path = xformat("%s/%s", folder->path, files[i].name);
        assert_int_equal(access(path, F_OK) != 0, files[i].goes);
        free(path);
        stay += !files[i].goes;
    }
    assert_int_equal(files_in(folder->path), stay);
}

// ---- Reading ----

static void assert_read(const char *runs, const char *name, const char *content)
{
    struct text document;
    struct error error = {{0}};
    if (!store_read(runs, name, &document, &error))
        fail_msg("%s", error.text);
    assert_string_equal(text_string(&document), content);
    text_free(&document);
}

static void assert_not_read(const char *runs, const char *name, const char *message)
{
    struct text document;
    struct error error = {{0}};
    if (store_read(runs, name, &document, &error))
        fail_msg("%s was read", name);
    if (!strstr(error.text, message))
        fail_msg("said \"%s\", not \"%s\"", error.text, message);
    assert_null(document.bytes);
}

static void finds_runs_by_name(void **state)
{
    struct folder *folder = *state;
    const char *runs = folder->path;
    assert_not_read(runs, "last", "there are no runs");
    assert_not_read(below(folder, "missing"), "last", "there are no runs");
    put_file(below(folder, "20261130T175535Z-3f2a9c.json"), "old");
    put_file(below(folder, "20261130T175536Z-000000.json"), "middle");
    put_file(below(folder, "20261201T000000Z-aaaaaa.json"), "new");
    put_file(below(folder, "99999999T999999Z-zzzzzz.json"), "no id");
    put_file(below(folder, "99999999T999999Z-aaaaaa.json~"), "a copy");
    put_file(below(folder, ".99999999T999999Z-aaaaaa.json"), "hidden");
    put_file(below(folder, "notes"), "notes");
    assert_read(runs, "last", "new");
    assert_read(runs, "20261201", "new");
    assert_read(runs, "20261130T175535Z-3f2a9c", "old");
    assert_read(runs, "20261130T175536", "middle");
    assert_not_read(runs, "20261130T17553",
                    "2 runs begin with \"20261130T17553\": 20261130T175535Z-3f2a9c, 20261130T175536Z-000000");
    assert_not_read(runs, "2", "3 runs begin with \"2\"");
    assert_not_read(runs, "9", "no run in");
    assert_not_read(runs, "notes", "no run in");
    assert_not_read(runs, "", "an empty name is no run");
    assert_not_read(runs, "..", "no run in");
    assert_not_read(runs, "*", "no run in");
    assert_not_read(runs, "20261130T175535Z-3f2a9c.jso", "no run in");
    assert_not_read(runs, "../x", "can't open ../x");
    assert_read(runs, below(folder, "20261130T175536Z-000000.json"), "middle");
    assert_read(runs, below(folder, "notes"), "notes");
}

static void reads_plain_files_only(void **state)
{
    struct folder *folder = *state;
    const char *fifo = below(folder, "fifo.json"), *directory = below(folder, "directory.json");
    const char *fifo_run = below(folder, "20261130T175535Z-3f2a9c.json"), *link = below(folder, "link.json");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(mkfifo(fifo_run, 0600), 0);
    assert_int_equal(mkdir(directory, 0700), 0);
    assert_not_read(NULL, fifo, "is not a plain file");
    assert_not_read(NULL, directory, "is not a plain file");
    assert_not_read(NULL, "/dev/zero", "is not a plain file");
    assert_not_read(NULL, "/", "is not a plain file");
    assert_not_read(folder->path, "last", "is not a plain file");
    assert_not_read(folder->path, "20261130", "is not a plain file");
    assert_not_read(NULL, "no-such-file.json", "can't open no-such-file.json: No such file or directory");
    assert_not_read("/dev/null", "last", "can't read the folder /dev/null");
    put_file(below(folder, "target"), "target");
    assert_int_equal(symlink(below(folder, "target"), link), 0);
    assert_read(NULL, link, "target"); // a path is followed as any path is
    assert_int_equal(unlink(fifo_run), 0);
    assert_int_equal(symlink(below(folder, "target"), fifo_run), 0);
    assert_not_read(folder->path, "last", "can't open"); // a link among the runs is not ours
}

static void reads_up_to_the_limit(void **state)
{
    struct folder *folder = *state;
    const char *large = below(folder, "large.json");
    int fd = open(large, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, (off_t)RUN_DOCUMENT_MOST), 0);
    struct text document;
    struct error error;
    assert_true(store_read(NULL, large, &document, &error));
    assert_int_equal(document.length, RUN_DOCUMENT_MOST);
    text_free(&document);
    assert_int_equal(ftruncate(fd, (off_t)RUN_DOCUMENT_MOST + 1), 0);
    assert_int_equal(close(fd), 0);
    assert_not_read(NULL, large, "is longer than 128 MiB, the most that is read");
}

static void reads_standard_input(void **state)
{
    (void)state;
    int ends[2], kept = dup(STDIN_FILENO);
    assert_true(kept >= 0);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], DOCUMENT, strlen(DOCUMENT)), (ssize_t)strlen(DOCUMENT));
    assert_int_equal(close(ends[1]), 0);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(close(ends[0]), 0);
    assert_read(NULL, "-", DOCUMENT);
    assert_read(NULL, "-", ""); // its end
    assert_int_equal(dup2(kept, STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(close(kept), 0);
}

int test_store(int argc, char *argv[])
{
    (void)argc, (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_folder_for_runs),
        cmocka_unit_test_setup_teardown(keeps_a_run_in_a_folder_that_it_makes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_a_folder_that_is_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(replaces_only_a_runs_document, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_what_is_no_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(leaves_nothing_where_saving_fails, set_up, tear_down),
        cmocka_unit_test_setup_teardown(replaces_nothing_that_comes_while_a_run_goes_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(saves_nothing_that_cannot_be_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(gives_a_file_the_mode_of_the_umask, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_another_users_document_in_a_sticky_folder, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sweeps_what_a_killed_save_left_and_nothing_else, set_up, tear_down),
        cmocka_unit_test_setup_teardown(finds_runs_by_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reads_plain_files_only, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reads_up_to_the_limit, set_up, tear_down),
        cmocka_unit_test(reads_standard_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
