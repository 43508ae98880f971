#include "engine/scratch.h"

#include "base/xalloc.h"
#include "engine/marker.h"
#include "engine/probe.h"
#include "engine/removal.h"
#include "engine/temp_folder.h"
#include "spec/tree.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <time.h>

int test_scratch(int argc, char *argv[]);

static const char run_id[] = "20261130T175535Z-3f2a9c";
static const char marker_name[] = ".diskduel-20261130T175535Z-3f2a9c";
static const char dead_name[] = ".diskduel-0123456789abcdef";

static struct temp_folder folder;

static int setup(void **state)
{
    (void)state;
    temp_folder_make(&folder);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    temp_folder_remove(&folder);
    return 0;
}

static unsigned entries(int dirfd)
{
    DIR *directory = fdopendir(openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    assert_non_null(directory);
    unsigned count = 0;
    while (readdir(directory))
        count++;
    closedir(directory);
    return count - 2;
}

// What a run leaves in its directory: a flat tree, deep ones, one half renamed, and large files of all kinds.
static void populate(int dirfd)
{
    char path[128], file[TREE_NAME_SIZE];
    temp_directory(dirfd, "t000");
    for (unsigned i = 0; i < 300; i++) {
        tree_file_name(i, i % 2, file);
        snprintf(path, sizeof path, "t000/%s", file);
        temp_file(dirfd, path, "payload");
    }
    temp_directory(dirfd, "t255");
    for (unsigned d = 0; d < 3; d++) {
        snprintf(path, sizeof path, "t255/d%02u", d);
        temp_directory(dirfd, path);
        snprintf(path, sizeof path, "t255/d%02u/f%08u", d, d * 100);
        temp_file(dirfd, path, "payload");
    }
    temp_directory(dirfd, "t254");
    strcpy(path, "t254");
    for (unsigned level = 1; level <= TREE_DEPTH_MOST; level++) {
        strcat(path, level % 2 ? "/d255" : "/d00");
        temp_directory(dirfd, path);
    }
    strcat(path, "/r00000007");
    temp_file(dirfd, path, "payload");
    temp_file(dirfd, "s000-00", "block");
    temp_file(dirfd, "s000-63", "block");
    temp_file(dirfd, "c255-07", "record");
    temp_file(dirfd, "l63", "block");
    temp_file(dirfd, PROBE_NAME, "probe");
}

// The descriptor of what a killed run left.
static int make_dead(const char *name, const char *marker)
{
    temp_directory(folder.fd, name);
    int fd = openat(folder.fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(fd >= 0);
    if (marker)
        temp_file(fd, marker_name, marker);
    return fd;
}

static char *valid_marker(void)
{
    return xformat("diskduel-scratch 1\nrun %s\npid 4194304\nstart 77\nboot b\nhost h\nend\n", run_id);
}

static void clean(const char *removed_says, const char *kept_says)
{
    struct text removed = {0}, kept = {0};
    bool failed;
    assert_true(scratch_clean(folder.fd, &removed, &kept, &failed, NULL));
    // Only what was to go, and was begun, can fail; such names have a path.
    assert_int_equal(failed, kept_says && strchr(kept_says, '/') != NULL);
    if (removed_says)
        assert_non_null(strstr(text_string(&removed), removed_says));
    else
        assert_string_equal(text_string(&removed), "");
    if (kept_says)
        assert_non_null(strstr(text_string(&kept), kept_says));
    else
        assert_string_equal(text_string(&kept), "");
    text_free(&removed);
    text_free(&kept);
}

static void makes_a_private_marked_directory(void **state)
{
    (void)state;
    mode_t before = umask(0);
    struct scratch scratch;
    struct error error = {0};
    assert_true(scratch_create(&scratch, folder.fd, run_id, &error));
    umask(before);
    assert_int_equal(strlen(scratch.name), strlen(".diskduel-") + 16);
    struct stat status;
    assert_int_equal(fstatat(folder.fd, scratch.name, &status, AT_SYMLINK_NOFOLLOW), 0);
    assert_int_equal(status.st_mode & 07777, 0700);
    assert_int_equal(fstatat(scratch.dirfd, marker_name, &status, AT_SYMLINK_NOFOLLOW), 0);
    assert_int_equal(status.st_mode & 07777, 0600);

    struct marker marker;
    assert_int_equal(marker_read(scratch.dirfd, marker_name, &marker), MARKER_VALID);
    assert_string_equal(marker.run, run_id);
    assert_int_equal(marker.pid, getpid());
    assert_true(marker_process_lives(&marker));
    assert_true(marker_same_boot(&marker));
    marker.start++; // another process that got the same number
    assert_false(marker_process_lives(&marker));

    int other = openat(folder.fd, scratch.name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(flock(other, LOCK_EX | LOCK_NB), -1);
    assert_int_equal(errno, EWOULDBLOCK);
    close(other);

    struct text left = {0};
    assert_true(scratch_remove(&scratch, &left));
    assert_string_equal(text_string(&left), "");
    assert_int_equal(entries(folder.fd), 0);
    text_free(&left);
}

static void two_are_never_one(void **state)
{
    (void)state;
    struct scratch a, b;
    assert_true(scratch_create(&a, folder.fd, run_id, NULL));
    assert_true(scratch_create(&b, folder.fd, run_id, NULL));
    assert_string_not_equal(a.name, b.name);
    struct text left = {0};
    assert_true(scratch_remove(&a, &left));
    assert_true(temp_exists(folder.fd, b.name));
    assert_true(scratch_remove(&b, &left));
    text_free(&left);
}

// Root may do everything, so as nobody.
static int create_under_umask(void)
{
    if (fchmod(folder.fd, 0777) < 0 || (geteuid() == 0 && (setgid(65534) < 0 || setuid(65534) < 0)))
        return 90;
    umask(0777);
    struct scratch scratch;
    struct error error = {0};
    if (!scratch_create(&scratch, folder.fd, run_id, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    struct marker marker;
    if (marker_read(scratch.dirfd, marker_name, &marker) != MARKER_VALID)
        return 2;
    struct text left = {0};
    if (!scratch_remove(&scratch, &left))
        return 3;
    text_free(&left);
    return 0;
}

static void any_umask_will_do(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0)
        _exit(create_under_umask());
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(entries(folder.fd), 0);
}

static void a_failure_leaves_nothing(void **state)
{
    (void)state;
    struct scratch scratch;
    struct error error = {0};
    assert_false(scratch_create(&scratch, folder.fd, "not/an/id", &error));
    assert_non_null(strstr(error.text, "is no run's id"));
    assert_int_equal(scratch.dirfd, -1);
    assert_int_equal(entries(folder.fd), 0);

    int gone = openat(folder.fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    close(gone);
    assert_false(scratch_create(&scratch, gone, run_id, &error));
    assert_non_null(strstr(error.text, "make the directory"));
}

static void removes_all_that_is_its_own(void **state)
{
    (void)state;
    temp_file(folder.fd, "t000", "the user's");
    temp_file(folder.fd, "f00000000", "the user's");
    struct scratch scratch;
    struct text left = {0};
    assert_true(scratch_create(&scratch, folder.fd, run_id, NULL));
    populate(scratch.dirfd);
    assert_true(scratch_remove_directory(scratch.dirfd, "t000", &left));
    assert_false(temp_exists(scratch.dirfd, "t000"));
    assert_true(scratch_remove_directory(scratch.dirfd, "t001", &left)); // never made
    assert_true(scratch_remove(&scratch, &left));
    assert_string_equal(text_string(&left), "");
    assert_int_equal(entries(folder.fd), 2);
    assert_true(temp_holds(folder.fd, "t000", "the user's"));
    assert_true(temp_holds(folder.fd, "f00000000", "the user's"));
    text_free(&left);
}

static void what_is_not_its_own_stays_and_is_named(void **state)
{
    (void)state;
    temp_directory(folder.fd, "outside");
    temp_file(folder.fd, "outside/f00000000", "precious");
    struct scratch scratch;
    struct text left = {0};
    assert_true(scratch_create(&scratch, folder.fd, run_id, NULL));
    char *name = xstrdup(scratch.name);
    populate(scratch.dirfd);
    temp_file(scratch.dirfd, "t000/thesis.txt", "precious");
    temp_directory(scratch.dirfd, "t000/f00000999");             // a directory where a file should be
    temp_directory(scratch.dirfd, "t254/d255/d00/d255/d00/d00"); // deeper than ours
    temp_file(scratch.dirfd, "t254/d255/d256", "precious");      // more of them than ours
    temp_file(scratch.dirfd, "l00-00", "precious");
    temp_file(scratch.dirfd, "c000-000", "precious");
    temp_file(scratch.dirfd, "p01", "precious");
    temp_directory(scratch.dirfd, "l07");
    temp_file(scratch.dirfd, "s000-0", "precious");
    temp_file(scratch.dirfd, "f00000001", "precious"); // our name, in the wrong place
    assert_int_equal(symlinkat("../outside", scratch.dirfd, "t001"), 0);
    assert_int_equal(symlinkat("../../outside/f00000000", scratch.dirfd, "t000/f00000998"), 0);
    assert_int_equal(symlinkat("../../outside", scratch.dirfd, "t255/d09"), 0);

    assert_false(scratch_remove(&scratch, &left));
    assert_non_null(strstr(text_string(&left), "/t000/thesis.txt: not made by diskduel"));
    assert_non_null(strstr(text_string(&left), "/t000/f00000999: Is a directory"));
    assert_non_null(strstr(text_string(&left), "/t254/d255/d00/d255/d00/d00: not made by diskduel"));
    assert_non_null(strstr(text_string(&left), "/t254/d255/d256: not made by diskduel"));
    assert_non_null(strstr(text_string(&left), "/l00-00: not made by diskduel"));
    assert_non_null(strstr(text_string(&left), "/c000-000: not made by diskduel"));
    assert_non_null(strstr(text_string(&left), "/p01: not made by diskduel"));
    assert_non_null(strstr(text_string(&left), "/l07: Is a directory"));
    assert_non_null(strstr(text_string(&left), "/s000-0: not made by diskduel"));
    assert_non_null(strstr(text_string(&left), "/f00000001: not made by diskduel"));
    assert_non_null(strstr(text_string(&left), "/t001: Not a directory"));
    assert_non_null(strstr(text_string(&left), "/t255/d09: Not a directory"));
    assert_true(temp_holds(folder.fd, "outside/f00000000", "precious"));

    // The marker still vouches for it, so that a later clean can end the work.
    int fd = openat(folder.fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_true(temp_exists(fd, marker_name));
    assert_true(temp_holds(fd, "t000/thesis.txt", "precious"));
    assert_false(temp_exists(fd, "t000/f00000000"));
    assert_false(temp_exists(fd, "s000-63"));
    assert_int_equal(unlinkat(fd, "t000/thesis.txt", 0), 0);
    assert_int_equal(unlinkat(fd, "t000/f00000999", AT_REMOVEDIR), 0);
    assert_false(temp_exists(fd, "c255-07"));
    assert_false(temp_exists(fd, "l63"));
    assert_false(temp_exists(fd, "t254/d255/d00/d255/d00/r00000007"));
    assert_int_equal(unlinkat(fd, "t254/d255/d00/d255/d00/d00", AT_REMOVEDIR), 0);
    assert_int_equal(unlinkat(fd, "t254/d255/d256", 0), 0);
    assert_int_equal(unlinkat(fd, "l00-00", 0), 0);
    assert_int_equal(unlinkat(fd, "c000-000", 0), 0);
    assert_int_equal(unlinkat(fd, "p01", 0), 0);
    assert_int_equal(unlinkat(fd, "l07", AT_REMOVEDIR), 0);
    assert_int_equal(unlinkat(fd, "s000-0", 0), 0);
    assert_int_equal(unlinkat(fd, "f00000001", 0), 0);
    assert_int_equal(unlinkat(fd, "t001", 0), 0);
    assert_int_equal(unlinkat(fd, "t255/d09", 0), 0);
    close(fd);
    clean(name, NULL);
    assert_int_equal(entries(folder.fd), 1);
    free(name);
    text_free(&left);
}

static void many_foreign_names_make_few_lines(void **state)
{
    (void)state;
    struct scratch scratch;
    assert_true(scratch_create(&scratch, folder.fd, run_id, NULL));
    char name[32];
    for (int i = 0; i < 500; i++) {
        snprintf(name, sizeof name, "foreign-%d", i);
        temp_file(scratch.dirfd, name, "");
    }
    struct text left = {0};
    assert_false(scratch_remove(&scratch, &left));
    unsigned lines = 0;
    for (const char *p = text_string(&left); (p = strchr(p, '\n')); p++)
        lines++;
    assert_int_equal(lines, 11);
    assert_non_null(strstr(text_string(&left), "and 490 more"));
    text_free(&left);
}

static void one_that_was_moved_away_is_emptied_and_not_mistaken(void **state)
{
    (void)state;
    struct scratch scratch;
    struct text left = {0};
    assert_true(scratch_create(&scratch, folder.fd, run_id, NULL));
    populate(scratch.dirfd);
    assert_int_equal(renameat(folder.fd, scratch.name, folder.fd, "moved"), 0);
    temp_directory(folder.fd, scratch.name);
    char *name = xstrdup(scratch.name);
    assert_false(scratch_remove(&scratch, &left));
    assert_non_null(strstr(text_string(&left), "somebody moved it away"));
    assert_true(temp_exists(folder.fd, name)); // another's, though it has our name
    int moved = openat(folder.fd, "moved", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(entries(moved), 0);
    close(moved);
    free(name);
    text_free(&left);
}

static void one_that_somebody_removed_is_no_leftover(void **state)
{
    (void)state;
    struct scratch scratch;
    struct text left = {0};
    assert_true(scratch_create(&scratch, folder.fd, run_id, NULL));
    assert_int_equal(unlinkat(scratch.dirfd, marker_name, 0), 0);
    assert_int_equal(unlinkat(folder.fd, scratch.name, AT_REMOVEDIR), 0);
    assert_true(scratch_remove(&scratch, &left));
    assert_string_equal(text_string(&left), "");
    text_free(&left);
}

// A FUSE server renames a file that is still open; this child does what the server does once it is closed.
static void a_hidden_file_gets_a_moment_to_go(void **state)
{
    (void)state;
    struct scratch scratch;
    struct text left = {0};
    assert_true(scratch_create(&scratch, folder.fd, run_id, NULL));
    temp_directory(scratch.dirfd, "t000");
    temp_file(scratch.dirfd, "t000/.fuse_hidden0001", "");
    temp_file(scratch.dirfd, ".fuse_hidden0002", "");
    pid_t child = fork();
    if (child == 0) {
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
        _exit(unlinkat(scratch.dirfd, "t000/.fuse_hidden0001", 0) < 0 ||
              unlinkat(scratch.dirfd, ".fuse_hidden0002", 0) < 0);
    }
    bool removed = scratch_remove(&scratch, &left);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(removed);
    assert_string_equal(text_string(&left), "");
    assert_int_equal(entries(folder.fd), 0);
    text_free(&left);
}

static int remove_around_a_mount(void)
{
    struct scratch scratch;
    if (!scratch_create(&scratch, folder.fd, run_id, NULL))
        return 1;
    populate(scratch.dirfd);
    char *path = xformat("%s/%s/t000", folder.path, scratch.name);
    char *file = xformat("%s/%s/t255/d00/f00000000", folder.path, scratch.name);
    char *victim = xformat("%s/victim", folder.path);
    temp_file(folder.fd, "victim", "precious");
    if (mount("none", path, "tmpfs", 0, NULL) < 0 || mount(victim, file, NULL, MS_BIND, NULL) < 0)
        return 99;
    temp_file(scratch.dirfd, "t000/f00000000", "on another disk");
    struct text left = {0};
    if (scratch_remove(&scratch, &left))
        return 2;
    if (!strstr(text_string(&left), "/t000: something is mounted there"))
        return 3;
    if (!strstr(text_string(&left), "/t255/d00/f00000000: Device or resource busy"))
        return 4;
    char *inside = xformat("%s/f00000000", path);
    if (!temp_holds(AT_FDCWD, inside, "on another disk") || !temp_holds(folder.fd, "victim", "precious"))
        return 5;
    umount(path);
    umount(file);
    clean(run_id, NULL);
    unlinkat(folder.fd, "victim", 0);
    return entries(folder.fd) == 0 ? 0 : 6;
}

static void a_mount_inside_is_not_crossed(void **state)
{
    (void)state;
    temp_in_own_mounts(&folder, remove_around_a_mount);
}

static int clean_around_a_mount(void)
{
    close(make_dead(dead_name, NULL));
    char *path = xformat("%s/%s", folder.path, dead_name);
    if (mount("none", path, "tmpfs", 0, NULL) < 0)
        return 99;
    clean(NULL, "something is mounted there");
    umount(path);
    clean(dead_name, NULL);
    return 0;
}

static void a_mount_that_looks_like_ours_stays(void **state)
{
    (void)state;
    temp_in_own_mounts(&folder, clean_around_a_mount);
}

static void clean_removes_what_a_killed_run_left(void **state)
{
    (void)state;
    char *marker = valid_marker();
    int fd = make_dead(dead_name, marker);
    populate(fd);
    close(fd);
    clean(".diskduel-0123456789abcdef (run 20261130T175535Z-3f2a9c)\n", NULL);
    assert_int_equal(entries(folder.fd), 0);
    clean(NULL, NULL);
    free(marker);
}

static void clean_removes_an_empty_one_and_each_unfinished_marker(void **state)
{
    (void)state;
    close(make_dead(dead_name, NULL));
    clean(dead_name, NULL);
    char *marker = valid_marker();
    size_t whole = strlen(marker);
    for (size_t length = 0; length < whole; length++) {
        char *cut = xstrndup(marker, length);
        close(make_dead(dead_name, cut));
        clean(dead_name, NULL);
        assert_int_equal(entries(folder.fd), 0);

        int fd = make_dead(dead_name, cut); // no moment of ours leaves this
        temp_file(fd, "s000-00", "precious");
        close(fd);
        clean(NULL, "its marker is unfinished");
        fd = openat(folder.fd, dead_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        assert_true(temp_holds(fd, "s000-00", "precious"));
        assert_int_equal(unlinkat(fd, "s000-00", 0), 0);
        assert_int_equal(unlinkat(fd, marker_name, 0), 0);
        close(fd);
        assert_int_equal(unlinkat(folder.fd, dead_name, AT_REMOVEDIR), 0);
        free(cut);
    }
    free(marker);
}

static void clean_keeps_foreign_markers(void **state)
{
    (void)state;
    static const char *const foreign[] = {
        "hello\n",
        "\n",
        "diskduel-scratch 2\nrun 20261130T175535Z-3f2a9c\nend\n",
        "diskduel-scratch 1\nend\n",
        "diskduel-scratch 1\nrun 20261130T175535Z-3f2a9c\npid 1\nend\n",
        "diskduel-scratch 1\nrun 20261130T175535Z-3f2a9d\npid 1\nstart 1\nend\n", // another run's
        "diskduel-scratch 1\nrun 20261130T175535Z-3f2a9c\npid 1\nstart 1\nend\nmore\n",
        "diskduel-scratch 1\nrun 20261130T175535Z-3f2a9c\npid -1\nstart 1\nend\n",
        "diskduel-scratch 1\nrun 20261130T175535Z-3f2a9c\npid 99999999999999999999999\nstart 1\nend\n",
        "diskduel-scratch 1\nrun 20261130T175535Z-3f2a9c-and-far-too-long-to-be-one\npid 1\nstart 1\nend\n",
        "diskduel-scratch 1\nrm -rf\npid 1\nstart 1\nend\n",
    };
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        int fd = make_dead(dead_name, foreign[i]);
        temp_file(fd, "s000-00", "precious");
        clean(NULL, ".diskduel-0123456789abcdef: its marker is not one of diskduel's");
        assert_true(temp_holds(fd, "s000-00", "precious"));
        assert_true(temp_holds(fd, marker_name, foreign[i]));
        assert_int_equal(unlinkat(fd, "s000-00", 0), 0);
        assert_int_equal(unlinkat(fd, marker_name, 0), 0);
        close(fd);
        assert_int_equal(unlinkat(folder.fd, dead_name, AT_REMOVEDIR), 0);
    }
}

static void clean_keeps_markers_that_are_no_files(void **state)
{
    (void)state;
    char *marker = valid_marker();
    temp_file(folder.fd, "marker", marker);
    int fd = make_dead(dead_name, NULL);
    temp_file(fd, "s000-00", "precious");
    assert_int_equal(symlinkat("../marker", fd, marker_name), 0);
    clean(NULL, "its marker is not one of diskduel's");
    assert_int_equal(unlinkat(fd, marker_name, 0), 0);
    assert_int_equal(mkfifoat(fd, marker_name, 0600), 0);
    clean(NULL, "its marker is not one of diskduel's");
    assert_int_equal(unlinkat(fd, marker_name, 0), 0);
    temp_directory(fd, marker_name);
    clean(NULL, "its marker is not one of diskduel's");
    char *huge = xmalloc(100000);
    memset(huge, 'e', 99999);
    huge[99999] = '\0';
    assert_int_equal(unlinkat(fd, marker_name, AT_REMOVEDIR), 0);
    temp_file(fd, marker_name, huge);
    clean(NULL, "its marker is not one of diskduel's");
    assert_true(temp_holds(fd, "s000-00", "precious"));
    close(fd);
    free(huge);
    free(marker);
}

static void clean_keeps_what_only_looks_like_ours(void **state)
{
    (void)state;
    char *marker = valid_marker();
    temp_directory(folder.fd, "outside");
    temp_file(folder.fd, "outside/f00000000", "precious");
    temp_file(folder.fd, "outside/.diskduel-20261130T175535Z-3f2a9c", marker);
    assert_int_equal(symlinkat("outside", folder.fd, ".diskduel-1111111111111111"), 0);
    temp_file(folder.fd, ".diskduel-2222222222222222", "precious");
    assert_int_equal(mkfifoat(folder.fd, ".diskduel-3333333333333333", 0600), 0);
    temp_directory(folder.fd, ".diskduel-4444444444444444");
    temp_file(folder.fd, ".diskduel-4444444444444444/thesis.txt", "precious");
    // Names that aren't ours: nobody speaks of them.
    static const char *const others[] = {
        ".diskduel-555555555555555",   // 15 digits
        ".diskduel-66666666666666666", // 17 digits
        ".diskduel-ABCDEFABCDEFABCD",  ".diskduel-77777777777777 7", ".diskduel",
        "diskduel-8888888888888888",   ".diskduel-gggggggggggggggg",
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        temp_directory(folder.fd, others[i]);
    temp_directory(folder.fd, "below"); // only directly in the directory given
    temp_directory(folder.fd, "below/.diskduel-9999999999999999");

    unsigned before = entries(folder.fd);
    struct text removed = {0}, kept = {0};
    assert_true(scratch_clean(folder.fd, &removed, &kept, NULL, NULL));
    assert_string_equal(text_string(&removed), "");
    assert_string_equal(text_string(&kept),
                        ".diskduel-1111111111111111: not a directory\n"
                        ".diskduel-2222222222222222: not a directory\n"
                        ".diskduel-3333333333333333: not a directory\n"
                        ".diskduel-4444444444444444: holds files, and no marker of diskduel\n");
    assert_int_equal(entries(folder.fd), before);
    assert_true(temp_holds(folder.fd, "outside/f00000000", "precious"));
    assert_true(temp_holds(folder.fd, ".diskduel-4444444444444444/thesis.txt", "precious"));
    assert_true(temp_exists(folder.fd, "below/.diskduel-9999999999999999"));
    text_free(&removed);
    text_free(&kept);
    free(marker);
}

static void clean_keeps_one_in_use(void **state)
{
    (void)state;
    struct scratch scratch;
    assert_true(scratch_create(&scratch, folder.fd, run_id, NULL));
    populate(scratch.dirfd);
    clean(NULL, ": in use");
    assert_true(temp_exists(scratch.dirfd, "t000/r00000299"));
    scratch_abandon(&scratch);
    clean(run_id, NULL); // its lock went with it
    assert_int_equal(entries(folder.fd), 0);
}

static void clean_ends_what_it_can_and_names_the_rest(void **state)
{
    (void)state;
    char *marker = valid_marker();
    int fd = make_dead(dead_name, marker);
    populate(fd);
    temp_file(fd, "t000/thesis.txt", "precious");
    clean(NULL, ".diskduel-0123456789abcdef/t000/thesis.txt: not made by diskduel");
    assert_true(temp_holds(fd, "t000/thesis.txt", "precious"));
    assert_false(temp_exists(fd, "t255"));
    assert_true(temp_exists(fd, marker_name));
    close(fd);
    free(marker);
}

static int clean_as_nobody(void)
{
    if (setgid(65534) < 0 || setuid(65534) < 0)
        return 90;
    struct text removed = {0}, kept = {0};
    if (!scratch_clean(folder.fd, &removed, &kept, NULL, NULL))
        return 1;
    if (removed.length || !strstr(text_string(&kept), "1111111111111111: belongs to another user") ||
        !strstr(text_string(&kept), "2222222222222222: Permission denied"))
        return 2;
    text_free(&removed);
    text_free(&kept);
    return 0;
}

static void clean_leaves_others_directories_to_them(void **state)
{
    (void)state;
    if (geteuid() != 0)
        skip();
    assert_int_equal(fchmod(folder.fd, 0777), 0);
    temp_directory(folder.fd, ".diskduel-1111111111111111");
    temp_directory(folder.fd, ".diskduel-2222222222222222");
    assert_int_equal(fchmodat(folder.fd, ".diskduel-1111111111111111", 0777, 0), 0);
    pid_t child = fork();
    if (child == 0)
        _exit(clean_as_nobody());
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(entries(folder.fd), 2);
    // Root removes anybody's.
    assert_int_equal(fchownat(folder.fd, ".diskduel-1111111111111111", 65534, 65534, 0), 0);
    clean(".diskduel-1111111111111111", NULL);
    assert_int_equal(entries(folder.fd), 0);
}

static void clean_says_where_it_can_not_read(void **state)
{
    (void)state;
    struct text removed = {0}, kept = {0};
    struct error error = {0};
    assert_false(scratch_clean(-1, &removed, &kept, NULL, &error));
    assert_non_null(strstr(error.text, "read the directory"));
}

static void live_for_ever(void)
{
    for (;;) {
        struct scratch scratch;
        struct text left = {0};
        if (!scratch_create(&scratch, folder.fd, run_id, NULL))
            _exit(1);
        for (int i = 0; i < 3; i++) {
            populate(scratch.dirfd);
            if (!scratch_remove_directory(scratch.dirfd, "t000", &left) ||
                !removal_empty(scratch.dirfd, SHAPE_SCRATCH, scratch.name, &left)) // all but the marker
                _exit(2);
        }
        populate(scratch.dirfd);
        if (!scratch_remove(&scratch, &left))
            _exit(3);
        text_free(&left);
    }
}

static void whatever_the_moment_of_a_kill_clean_finds_it_all(void **state)
{
    (void)state;
    temp_file(folder.fd, "f00000000", "precious");
    temp_directory(folder.fd, "t000");
    for (int i = 0; i < 100; i++) {
        pid_t child = fork();
        if (child == 0)
            live_for_ever();
        nanosleep(&(struct timespec){.tv_nsec = 100000 + i * 199999}, NULL);
        assert_int_equal(kill(child, SIGKILL), 0);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        struct text removed = {0}, kept = {0};
        assert_true(scratch_clean(folder.fd, &removed, &kept, NULL, NULL));
        assert_string_equal(text_string(&kept), "");
        text_free(&removed);
        text_free(&kept);
        assert_int_equal(entries(folder.fd), 2);
    }
    assert_true(temp_holds(folder.fd, "f00000000", "precious"));
}

// (An assertion that failed in a child would go on with the tests in it: it exits instead.)
static void come_and_go(void)
{
    for (;;) {
        struct scratch scratch;
        struct text left = {0};
        if (!scratch_create(&scratch, folder.fd, run_id, NULL))
            _exit(1);
        if (mkdirat(scratch.dirfd, "t000", 0700) < 0)
            _exit(2);
        if (!scratch_remove(&scratch, &left))
            _exit(3);
        text_free(&left);
    }
}

static void cleaning_beside_living_ones_harms_none(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0)
        come_and_go();
    for (int i = 0; i < 5000; i++) {
        struct text removed = {0}, kept = {0};
        assert_true(scratch_clean(folder.fd, &removed, &kept, NULL, NULL));
        text_free(&removed);
        text_free(&kept);
    }
    int status; // it would have ended, had anything been taken from under it
    pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child)
        print_message("it ended with status 0x%x (exit %d)\n", (unsigned)status, WEXITSTATUS(status));
    assert_int_equal(ended, 0);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    struct text removed = {0}, kept = {0};
    assert_true(scratch_clean(folder.fd, &removed, &kept, NULL, NULL));
    assert_string_equal(text_string(&kept), "");
    text_free(&removed);
    text_free(&kept);
    assert_int_equal(entries(folder.fd), 0);
}

static void an_open_parent_is_known(void **state)
{
    (void)state;
    assert_false(scratch_parent_is_open(folder.fd));
    assert_int_equal(fchmod(folder.fd, 01777), 0);
    assert_false(scratch_parent_is_open(folder.fd));
    assert_int_equal(fchmod(folder.fd, 0777), 0);
    assert_true(scratch_parent_is_open(folder.fd));
}

int test_scratch(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(makes_a_private_marked_directory),
        TEST(two_are_never_one),
        TEST(any_umask_will_do),
        TEST(a_failure_leaves_nothing),
        TEST(removes_all_that_is_its_own),
        TEST(what_is_not_its_own_stays_and_is_named),
        TEST(many_foreign_names_make_few_lines),
        TEST(one_that_was_moved_away_is_emptied_and_not_mistaken),
        TEST(one_that_somebody_removed_is_no_leftover),
        TEST(a_hidden_file_gets_a_moment_to_go),
        TEST(a_mount_inside_is_not_crossed),
        TEST(a_mount_that_looks_like_ours_stays),
        TEST(clean_removes_what_a_killed_run_left),
        TEST(clean_removes_an_empty_one_and_each_unfinished_marker),
        TEST(clean_keeps_foreign_markers),
        TEST(clean_keeps_markers_that_are_no_files),
        TEST(clean_keeps_what_only_looks_like_ours),
        TEST(clean_keeps_one_in_use),
        TEST(clean_ends_what_it_can_and_names_the_rest),
        TEST(clean_leaves_others_directories_to_them),
        TEST(clean_says_where_it_can_not_read),
        TEST(whatever_the_moment_of_a_kill_clean_finds_it_all),
        TEST(cleaning_beside_living_ones_harms_none),
        TEST(an_open_parent_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
