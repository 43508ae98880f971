#include "base/xalloc.h"
#include "record/mount.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

int test_mount(int argc, char *argv[]);

static void tells_kinds_apart(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        bool in_memory, is_remote;
    } types[] = {{"ext4", false, false},      {"xfs", false, false},       {"overlay", false, false},
                 {"btrfs", false, false},     {"tmpfs", true, false},      {"ramfs", true, false},
                 {"fuse", false, true},       {"fuse.sshfs", false, true}, {"fuseblk", false, true},
                 {"fuse.orlop", false, true}, {"nfs", false, true},        {"nfs4", false, true},
                 {"cifs", false, true},       {"9p", false, true},         {"virtiofs", false, true},
                 {"ceph", false, true},       {"fusectl", false, false},   {"nfsd", false, false},
                 {"", false, false},          {"tmpfs2", false, false},    {"fuse.tmpfs", false, true}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct mount mount = {.type = xstrdup(types[i].type)};
        assert_int_equal(mount_in_memory(&mount), types[i].in_memory);
        assert_int_equal(mount_is_remote(&mount), types[i].is_remote);
        mount_release(&mount);
        assert_null(mount.type);
    }
}

static void knows_nothing_of_an_unknown_mount(void **state)
{
    (void)state;
    struct mount mount = {0};
    assert_false(mount_in_memory(&mount));
    assert_false(mount_is_remote(&mount));
    mount_release(&mount);
}

static void assert_option(const char *list, const char *name, const char *found)
{
    size_t length = 99;
    const char *at = mount_find_option(list, name, &length);
    assert_int_equal(length, strlen(found));
    assert_true(*found ? strncmp(at, found, length) == 0 : at == NULL);
}

static void finds_an_option_by_its_whole_name(void **state)
{
    (void)state;
    assert_option("rw,relatime,max_read=131072", "max_read", "max_read=131072");
    assert_option("rw,relatime", "relatime", "relatime");
    assert_option("rw,relatime", "atime", "");
    assert_option("rw,noatime", "noat", "");
    assert_option("fsync=volatile,rw", "volatile", "");
    assert_option("fsync=volatile,rw", "fsync=volatile", "fsync=volatile");
    assert_option(",,rw,", "rw", "rw");
    assert_option("", "rw", "");
    assert_option(NULL, "rw", "");
}

int test_mount(int argc, char *argv[])
{
    (void)argc, (void)argv;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_kinds_apart),
        cmocka_unit_test(knows_nothing_of_an_unknown_mount),
        cmocka_unit_test(finds_an_option_by_its_whole_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
