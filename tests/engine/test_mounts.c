#include "engine/mounts.h"

#include "base/xalloc.h"
#include "engine/proc.h"
#include "engine/temp_folder.h"

int test_mounts(int argc, char *argv[]);

static const char sample[] = "23 29 0:22 / /proc rw,nosuid - proc proc rw\n"
                             "29 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard\n"
                             "412 29 0:52 / /work\\040space\\011tab\\134back\\012line rw,nosuid,nodev "
                             "shared:7 master:2 propagate_from:3 "
                             "unbindable - fuse.orlop mfs\\04310.77.0.1:9421 rw,user_id=0\n"
                             "413 29 0:53 / /empty rw - tmpfs  rw,size=65536k\n"
                             "414 29 0:54 / /last rw - overlay overlay rw,lowerdir=/l,upperdir=/u,workdir=/w";

static void finds_each_field(void **state)
{
    (void)state;
    struct mount mount = {0};
    assert_true(mountinfo_find(sample, 29, &mount));
    assert_string_equal(mount.type, "ext4");
    assert_string_equal(mount.source, "/dev/vda");
    assert_string_equal(mount.target, "/");
    assert_string_equal(mount.options, "rw,relatime");
    assert_string_equal(mount.super_options, "rw,discard");
    assert_int_equal(mount.major, 254);
    assert_int_equal(mount.minor, 0);
    assert_int_equal(mount.id, 29);
    mount_release(&mount);
}

static void undoes_octal_escapes_past_optional_fields(void **state)
{
    (void)state;
    struct mount mount = {0};
    assert_true(mountinfo_find(sample, 412, &mount));
    assert_string_equal(mount.type, "fuse.orlop");
    assert_string_equal(mount.source, "mfs#10.77.0.1:9421");
    assert_string_equal(mount.target, "/work space\ttab\\back\nline");
    mount_release(&mount);
}

static void an_empty_source_and_a_last_line_without_end(void **state)
{
    (void)state;
    struct mount mount = {0};
    assert_true(mountinfo_find(sample, 413, &mount));
    assert_string_equal(mount.source, "");
    assert_string_equal(mount.super_options, "rw,size=65536k");
    mount_release(&mount);
    mount = (struct mount){0};
    assert_true(mountinfo_find(sample, 414, &mount));
    assert_string_equal(mount.super_options, "rw,lowerdir=/l,upperdir=/u,workdir=/w");
    mount_release(&mount);
}

static void leaves_odd_backslashes_alone(void **state)
{
    (void)state;
    struct mount mount = {0};
    assert_true(mountinfo_find("7 1 0:1 / /a\\04 rw - t \\999\\000\\400\\ \\377\\1234\n", 7, &mount));
    assert_string_equal(mount.target, "/a\\04");
    assert_string_equal(mount.source, "\\999\\000\\400\\");
    assert_string_equal(mount.super_options, "\377S4");
    mount_release(&mount);
}

static void refuses_what_is_no_line(void **state)
{
    (void)state;
    static const char *const hostile[] = {
        "",
        "\n\n\n",
        "7",
        "7 1 0:1 / /a rw",
        "7 1 0:1 / /a rw shared:1 master:2",
        "7 1 0:1 / /a rw -",
        "7 1 0:1 / /a rw - ext4",
        "7 1 0:1 / /a rw - ext4 /dev/a",
        "7 1 0:1 / /a rw -- ext4 /dev/a rw",
        "7 1 01 / /a rw - ext4 /dev/a rw",
        "7 1 0: / /a rw - ext4 /dev/a rw",
        "7 1 :1 / /a rw - ext4 /dev/a rw",
        "7 1 -1:1 / /a rw - ext4 /dev/a rw",
        "7 1 99999999999:1 / /a rw - ext4 /dev/a rw",
        "7 1 99999999999999999999999:1 / /a rw - ext4 /dev/a rw",
        "7 1 0:1 /  rw - ext4 /dev/a rw",
        "7 1 0:1 / /a rw -  /dev/a rw",
        "7x 1 0:1 / /a rw - ext4 /dev/a rw",
        "18446744073709551623 1 0:1 / /a rw - ext4 /dev/a rw", // 2^64 + 7
        " 7 1 0:1 / /a rw - ext4 /dev/a rw",
    };
    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
        struct mount mount = {0};
        assert_false(mountinfo_find(hostile[i], 7, &mount));
        assert_null(mount.type);
        assert_null(mount.target);
    }
}

static void no_cut_of_a_line_is_read_past_its_end(void **state)
{
    (void)state;
    const char *line = "7 1 0:1 / /a\\040b rw shared:1 - ext4 /dev/a rw,x";
    for (size_t length = 0; length <= strlen(line); length++) {
        char *cut = xstrndup(line, length); // exactly as long as it is: a sanitizer sees a byte too many
        struct mount mount = {0};
        bool found = mountinfo_find(cut, 7, &mount);
        assert_true(found == (length >= strlen(line) - strlen("rw,x")));
        mount_release(&mount);
        free(cut);
    }
}

static void very_long_lines(void **state)
{
    (void)state;
    struct text text = {0};
    text_puts(&text, "6 1 0:1 / /a rw");
    for (int i = 0; i < 20000; i++)
        text_puts(&text, " shared:1");
    text_puts(&text, " - overlay overlay rw,lowerdir=");
    for (int i = 0; i < 20000; i++)
        text_puts(&text, "/layer\\072:");
    text_puts(&text, ",upperdir=/u\n7 1 0:2 / /b rw - tmpfs none rw\n");
    struct mount mount = {0};
    assert_true(mountinfo_find(text_string(&text), 6, &mount));
    assert_int_equal(strlen(mount.super_options),
                     strlen("rw,lowerdir=,upperdir=/u") + 20000 * strlen("/layer::"));
    mount_release(&mount);
    mount = (struct mount){0};
    assert_true(mountinfo_find(text_string(&text), 7, &mount));
    assert_string_equal(mount.target, "/b");
    mount_release(&mount);
    text_free(&text);
}

static void a_broken_line_does_not_hide_the_next(void **state)
{
    (void)state;
    struct mount mount = {0};
    assert_true(mountinfo_find("7 broken\n7 1 0:1 / /a rw - ext4 /dev/a rw\n", 7, &mount));
    assert_string_equal(mount.target, "/a");
    mount_release(&mount);
}

static void knows_the_root(void **state)
{
    (void)state;
    int fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(fd >= 0);
    struct mount mount = {0};
    mount_of(fd, &mount);
    assert_non_null(mount.type);
    assert_string_equal(mount.type, "proc");
    assert_string_equal(mount.target, "/proc");
    assert_true(mount.has_f_type);
    assert_int_equal(mount.f_type, 0x9fa0);
    mount_release(&mount);
    close(fd);
}

static void both_ways_give_the_same_id(void **state)
{
    (void)state;
    int fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    uint64_t id, of_fdinfo;
    assert_true(mount_id_of(fd, &id));
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", fd);
    struct text text = {0};
    assert_true(proc_read(path, &text));
    assert_true(proc_number(text_string(&text), "mnt_id:", &of_fdinfo));
    assert_int_equal(id, of_fdinfo);
    text_free(&text);
    close(fd);
}

static void a_closed_descriptor_is_no_error(void **state)
{
    (void)state;
    struct mount mount = {0};
    mount_of(-1, &mount);
    assert_null(mount.type);
    assert_false(mount.has_f_type);
}

static void assert_lies_on(const char *mountinfo, const char *path, const char *target, bool on_the_way)
{
    struct mount mount = {0};
    bool remote = !on_the_way;
    assert_true(mountinfo_find_path(mountinfo, path, &mount, &remote));
    assert_string_equal(mount.target, target);
    assert_int_equal(remote, on_the_way);
    mount_release(&mount);
}

static void a_path_lies_on_the_longest_target(void **state)
{
    (void)state;
    static const char mountinfo[] = "1 0 254:0 / / rw - ext4 /dev/vda rw\n"
                                    "2 1 0:40 / /a rw - tmpfs none rw\n"
                                    "no line\n"
                                    "3 2 0:41 / /a/b\\040c rw - tmpfs none rw\n"
                                    "4 1 0:42 / /far rw - fuse.sshfs host: rw\n"
                                    "5 4 7:0 / /far/near rw - ext4 /dev/loop0 rw\n"
                                    "6 1 0:43 / /a rw - tmpfs again rw";
    assert_lies_on(mountinfo, "/", "/", false);
    assert_lies_on(mountinfo, "/ab/x", "/", false);
    assert_lies_on(mountinfo, "/a", "/a", false);
    assert_lies_on(mountinfo, "/a/b c/d", "/a/b c", false);
    assert_lies_on(mountinfo, "/a/b cd", "/a", false);
    assert_lies_on(mountinfo, "/far/file", "/far", true);
    assert_lies_on(mountinfo, "/far/near/file", "/far/near", true);
    struct mount mount = {0};
    bool remote;
    assert_true(mountinfo_find_path(mountinfo, "/a/x", &mount, &remote));
    assert_string_equal(mount.source, "again"); // the last of two hides the first
    mount_release(&mount);
    assert_false(mountinfo_find_path("2 1 0:40 / /a rw - tmpfs none rw\n", "/b", &mount, &remote));
    assert_false(mountinfo_find_path("", "/", &mount, &remote));
    assert_null(mount.type);
}

static void a_path_that_is_not_there_is_out_of_sight(void **state)
{
    (void)state;
    struct temp_folder folder;
    temp_folder_make(&folder);
    char *there = xformat("%s/there", folder.path), *gone = xformat("%s/gone", folder.path);
    char *link = xformat("%s/link", folder.path);
    temp_directory(folder.fd, "there");
    assert_int_equal(symlink("/proc", link), 0);
    struct mount mount = {0}, own = {0};
    mount_of(folder.fd, &own);
    assert_true(mount_of_path("", there, &mount));
    assert_int_equal(mount.id, own.id);
    mount_release(&mount);
    mount_release(&own);
    assert_false(mount_of_path("", gone, &mount));
    assert_true(mount_of_path("", link, &mount)); // it is what stands there that counts
    assert_string_equal(mount.type, "proc");
    mount_release(&mount);
    assert_false(mount_of_path("", "there", &mount));
    assert_false(mount_of_path("", "", &mount));
    assert_null(mount.type);
    free(there);
    free(gone);
    free(link);
    temp_folder_remove(&folder);
}

static void options_are_found_by_their_whole_name(void **state)
{
    (void)state;
    char options[] = "rw,xupperdir=/x,upperdir=/u/a,max_read=4096,last=";
    char type[] = "overlay";
    struct mount mount = {.super_options = options};
    assert_null(mount_overlay_upper(&mount));
    mount.type = type;
    char *upper = mount_overlay_upper(&mount), *last = mount_super_option(&mount, "last");
    assert_string_equal(upper, "/u/a");
    assert_string_equal(last, "");
    assert_null(mount_super_option(&mount, "rw"));
    assert_null(mount_super_option(&mount, "max"));
    mount.super_options = NULL;
    assert_null(mount_overlay_upper(&mount));
    free(upper);
    free(last);
}

static void lines_of_kernel_files(void **state)
{
    (void)state;
    struct temp_folder folder;
    temp_folder_make(&folder);
    temp_file(folder.fd, "line", "Virtual Disk  \t\nmore\n");
    temp_file(folder.fd, "blank", "  \n");
    temp_file(folder.fd, "empty", "");
    temp_file(folder.fd, "number", "17\n");
    char *line = proc_line(folder.path, "line");
    assert_string_equal(line, "Virtual Disk");
    free(line);
    assert_null(proc_line(folder.path, "blank"));
    assert_null(proc_line(folder.path, "empty"));
    assert_null(proc_line(folder.path, "none"));
    assert_null(proc_line(folder.path, "."));
    uint64_t number = 0;
    assert_true(proc_file_number(folder.path, "number", "", &number));
    assert_int_equal(number, 17);
    assert_false(proc_file_number(folder.path, "none", "", &number));
    temp_folder_remove(&folder);
}

static void numbers_of_kernel_files(void **state)
{
    (void)state;
    uint64_t number = 0;
    const char *text = "MemTotal:  100 kB\nMemAvailable:\t 42 kB\nBad: x\nHuge: 99999999999999999999999\n";
    assert_true(proc_number(text, "MemAvailable:", &number));
    assert_int_equal(number, 42);
    assert_true(proc_number("123\n", "", &number));
    assert_int_equal(number, 123);
    assert_false(proc_number("max\n", "", &number));
    assert_false(proc_number(text, "Available:", &number));
    assert_false(proc_number(text, "Bad:", &number));
    assert_false(proc_number(text, "Huge:", &number));
    assert_false(proc_number("", "", &number));
    struct text none = {0};
    assert_false(proc_read("/proc/there/is/no/such", &none));
    assert_false(proc_read("/proc", &none));
    text_free(&none);
}

int test_mounts(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_each_field),
        cmocka_unit_test(undoes_octal_escapes_past_optional_fields),
        cmocka_unit_test(an_empty_source_and_a_last_line_without_end),
        cmocka_unit_test(leaves_odd_backslashes_alone),
        cmocka_unit_test(refuses_what_is_no_line),
        cmocka_unit_test(no_cut_of_a_line_is_read_past_its_end),
        cmocka_unit_test(very_long_lines),
        cmocka_unit_test(a_broken_line_does_not_hide_the_next),
        cmocka_unit_test(knows_the_root),
        cmocka_unit_test(both_ways_give_the_same_id),
        cmocka_unit_test(a_closed_descriptor_is_no_error),
        cmocka_unit_test(a_path_lies_on_the_longest_target),
        cmocka_unit_test(a_path_that_is_not_there_is_out_of_sight),
        cmocka_unit_test(options_are_found_by_their_whole_name),
        cmocka_unit_test(lines_of_kernel_files),
        cmocka_unit_test(numbers_of_kernel_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
