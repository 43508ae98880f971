#include "engine/device.h"

#include "base/xalloc.h"
#include "engine/mounts.h"
#include "engine/temp_folder.h"
#include "record/fields.h"

#include <sys/sysmacros.h>

int test_device(int argc, char *argv[]);

static struct temp_folder folder;
static struct device device;

static int setup(void **state)
{
    (void)state;
    temp_folder_make(&folder);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    fields_release(device_fields, &device);
    fields_release(device_mount_fields, &device);
    memset(&device, 0, sizeof device);
    temp_folder_remove(&folder);
    return 0;
}

static void file(const char *path, const char *content)
{
    temp_deep_file(folder.fd, path, content);
}

// A mount as /proc/self/mountinfo has it.
static void look(const char *line)
{
    struct mount mount = {0};
    assert_true(mountinfo_find(line, 1, &mount));
    fields_release(device_fields, &device);
    fields_release(device_mount_fields, &device);
    memset(&device, 0, sizeof device);
    device_of(folder.path, &mount, &device);
    mount_release(&mount);
}

static void nothing_known_is_nothing_known(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "1 0 8:1 / / rw - ext4 /dev/sda1 rw",       "1 0 0:50 / / rw - tmpfs none rw",
        "1 0 0:50 / / rw - btrfs /dev/none rw",     "1 0 0:50 / / rw - btrfs /dev rw",
        "1 0 0:50 / / rw - fuse.x x rw,max_read=x", "1 0 0:50 / / rw - overlay o rw,upperdir=/u",
        "1 0 0:50 / / rw - overlay o rw,upperdir=", "1 0 0:50 / / rw - fuse.  rw",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        look(lines[i]);
        assert_false(device.read_ahead_bytes.known);
        assert_false(device.bdi_max_ratio.known);
        assert_null(device.block_name);
        assert_null(device.block_model);
        assert_false(device.rotational.known);
        assert_null(device.scheduler);
        assert_false(device.logical_block_bytes.known);
        assert_null(device.backing_file);
        assert_null(device.upper_device);
        assert_false(device.fuse_max_read_bytes.known);
        assert_null(device.fuse_server);
    }
    struct mount unknown = {0};
    device_of(folder.path, &unknown, &device);
    assert_null(device.block_name);
}

static void make_sda(void)
{
    temp_deep_link(folder.fd, "sys/dev/block/8:0", "../../devices/pci/sda");
    temp_deep_link(folder.fd, "sys/dev/block/8:1", "../../devices/pci/sda/sda1");
    file("sys/devices/pci/sda/dev", "8:0\n");
    file("sys/devices/pci/sda/device/model", "Virtual Disk    \n");
    file("sys/devices/pci/sda/queue/rotational", "1\n");
    file("sys/devices/pci/sda/queue/scheduler", "none [mq-deadline] kyber\n");
    file("sys/devices/pci/sda/queue/logical_block_size", "512\n");
    file("sys/devices/pci/sda/queue/read_ahead_kb", "4096\n");
    file("sys/devices/pci/sda/sda1/partition", "1\n");
    file("sys/class/bdi/8:0/read_ahead_kb", "128\n");
    file("sys/class/bdi/8:0/max_ratio", "100\n");
    file("sys/class/bdi/8:1/read_ahead_kb", "256\n");
}

static void assert_is_of_sda(const char *name)
{
    assert_string_equal(device.block_name, name);
    assert_string_equal(device.block_model, "Virtual Disk");
    assert_true(device.rotational.known && device.rotational.value);
    assert_string_equal(device.scheduler, "mq-deadline");
    assert_int_equal(device.logical_block_bytes.value, 512);
    assert_int_equal(device.queue_read_ahead_bytes.value, 4096 * 1024);
    assert_null(device.backing_file);
}

static void a_partition_has_its_disks_facts(void **state)
{
    (void)state;
    make_sda();
    look("1 0 8:0 / / rw - ext4 /dev/sda rw");
    assert_is_of_sda("sda");
    assert_int_equal(device.read_ahead_bytes.value, 128 * 1024);
    assert_int_equal(device.bdi_max_ratio.value, 100);
    look("1 0 8:1 / / rw - xfs /dev/sda1 rw");
    assert_is_of_sda("sda1");
    assert_int_equal(device.read_ahead_bytes.value, 256 * 1024);
    assert_false(device.bdi_max_ratio.known);
}

static void hostile_numbers_are_unknown(void **state)
{
    (void)state;
    make_sda();
    file("sys/devices/pci/sda/queue/rotational", "yes\n");
    file("sys/devices/pci/sda/queue/scheduler", "[unfinished\n");
    file("sys/devices/pci/sda/queue/logical_block_size", "-512\n");
    file("sys/devices/pci/sda/queue/read_ahead_kb", "18446744073709551615\n");
    file("sys/class/bdi/8:0/read_ahead_kb", "99999999999999999999999\n");
    look("1 0 8:0 / / rw - ext4 /dev/sda rw");
    assert_false(device.rotational.known);
    assert_string_equal(device.scheduler, "[unfinished");
    assert_false(device.logical_block_bytes.known);
    assert_false(device.queue_read_ahead_bytes.known);
    assert_false(device.read_ahead_bytes.known);
    file("sys/devices/pci/sda/dev", "x:y\n"); // then the partition is all that is known
    look("1 0 8:1 / / rw - ext4 /dev/sda1 rw");
    assert_string_equal(device.block_name, "sda1");
    assert_null(device.block_model);
}

static void a_loop_device_has_a_file(void **state)
{
    (void)state;
    temp_deep_link(folder.fd, "sys/dev/block/7:3", "../../devices/virtual/block/loop3");
    file("sys/devices/virtual/block/loop3/loop/backing_file", "/a b/disk.img (deleted)\n");
    file("sys/devices/virtual/block/loop3/queue/scheduler", "none\n");
    file("sys/devices/virtual/block/loop3/queue/rotational", "0\n");
    look("1 0 7:3 / / rw - ext4 /dev/loop3 rw");
    assert_string_equal(device.block_name, "loop3");
    assert_string_equal(device.backing_file, "/a b/disk.img (deleted)");
    assert_string_equal(device.scheduler, "none");
    assert_true(device.rotational.known && !device.rotational.value);
}

// A block device of this machine that can be asked for by a made-up name; skips where there is none.
static dev_t some_block_device(char path[64])
{
    static const char *const places[] = {"/dev/loop0", "/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/zram0"};
    struct stat status;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (stat(places[i], &status) == 0 && S_ISBLK(status.st_mode)) {
            snprintf(path, 64, "%s", places[i]);
            return status.st_rdev;
        }
    }
    skip();
    return 0;
}

static void btrfs_is_found_by_its_source(void **state)
{
    (void)state;
    char real[64];
    dev_t block = some_block_device(real);
    temp_deep_link(folder.fd, "dev/disk", real);
    char *place = xformat("sys/dev/block/%u:%u", major(block), minor(block));
    temp_deep_link(folder.fd, place, "../../devices/nvme9");
    free(place);
    file("sys/devices/nvme9/queue/rotational", "0\n");
    file("sys/fs/btrfs/features/x", "");
    file("sys/fs/btrfs/1234/devices/other", "");
    file("sys/fs/btrfs/1234/bdi/read_ahead_kb", "1\n");
    file("sys/fs/btrfs/5678/devices/nvme9", "");
    file("sys/fs/btrfs/5678/bdi/read_ahead_kb", "4096\n");
    look("1 0 0:50 / / rw - btrfs /dev/disk rw");
    assert_string_equal(device.block_name, "nvme9");
    assert_int_equal(device.read_ahead_bytes.value, 4096 * 1024);
}

// The text of the mounts is made up, but for the id of the one that the folder lies on.
static void an_overlay_has_the_facts_of_its_upper_layer(void **state)
{
    (void)state;
    make_sda();
    uint64_t id;
    assert_true(mount_id_of(folder.fd, &id));
    char *mounts = xformat("1 0 0:50 / /merged rw - overlay o rw,upperdir=/data/up\n"
                           "%ju 0 8:1 / /data rw - ext4 /dev/sda1 rw\n",
                           (uintmax_t)id);
    file("proc/self/mountinfo", mounts);
    look(mounts);
    assert_string_equal(device.upper_path, "/data/up");
    assert_null(device.upper_device); // it isn't there, so the path means something that can't be seen
    file("data/up/file", "");
    look(mounts);
    assert_string_equal(device.upper_device, "8:1");
    assert_is_of_sda("sda1");
    assert_int_equal(device.read_ahead_bytes.value, 256 * 1024);
    free(mounts);
}

static void the_upper_layer_on_a_server_is_not_looked_at(void **state)
{
    (void)state;
    static const char mounts[] = "1 0 0:50 / /merged rw - overlay o rw,upperdir=/data/up\n"
                                 "2 0 0:51 / /data rw - fuse.x x rw\n";
    file("proc/self/mountinfo", mounts);
    look(mounts);
    assert_string_equal(device.upper_device, "0:51"); // nor is it there
}

static void a_server(const char *pid, const char *name, const char *connection)
{
    char *comm = xformat("proc/%s/comm", pid), *link = xformat("proc/%s/fd/7", pid);
    char *info = xformat("proc/%s/fdinfo/7", pid);
    file(comm, name);
    temp_deep_link(folder.fd, link, "/dev/fuse");
    if (connection)
        file(info, connection);
    free(comm);
    free(link);
    free(info);
}

static void a_fuse_mount_and_its_only_server(void **state)
{
    (void)state;
    file("sys/class/bdi/0:50/read_ahead_kb", "128\n");
    file("sys/class/bdi/8:1-fuseblk/read_ahead_kb", "64\n");
    temp_deep_link(folder.fd, "proc/4/fd/1", "/dev/fuse2");
    temp_deep_link(folder.fd, "proc/self/fd/1", "/dev/fuse");
    static const char sshfs[] = "1 0 0:50 / / rw - fuse.sshfs host:/a rw,max_read=65536,user_id=0";
    look(sshfs);
    assert_string_equal(device.fuse_subtype, "sshfs");
    assert_int_equal(device.fuse_max_read_bytes.value, 65536);
    assert_int_equal(device.read_ahead_bytes.value, 128 * 1024);
    assert_null(device.fuse_server);
    a_server("77", "sshfs\n", NULL);
    look(sshfs);
    assert_string_equal(device.fuse_server, "sshfs");
    a_server("78", "bindfs\n", NULL);
    look(sshfs);
    assert_null(device.fuse_server);
    look("1 0 8:1 / / rw - fuseblk /dev/sda1 rw");
    assert_null(device.fuse_subtype);
    assert_int_equal(device.read_ahead_bytes.value, 64 * 1024);
    look("1 0 0:50 / / rw - fusectl fusectl rw,max_read=5");
    assert_false(device.fuse_max_read_bytes.known);
}

static void the_connection_tells_servers_apart(void **state)
{
    (void)state;
    a_server("77", "sshfs\n", "pos:\t0\nflags:\t02\nmnt_id:\t20\nfuse_connection:\t50\n");
    a_server("78", "bindfs\n", "pos:\t0\nfuse_connection:\t51\n");
    look("1 0 0:50 / / rw - fuse.sshfs host:/a rw");
    assert_string_equal(device.fuse_server, "sshfs");
    look("1 0 0:51 / / rw - fuse.bindfs /a rw");
    assert_string_equal(device.fuse_server, "bindfs");
    look("1 0 0:52 / / rw - fuse.other /a rw");
    assert_null(device.fuse_server);
}

// What this machine's own disk is called stands in mountinfo too.
static void this_machine_agrees(void **state)
{
    (void)state;
    int root = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(root >= 0);
    struct mount mount = {0};
    mount_of(root, &mount);
    close(root);
    device_of("", &mount, &device);
    bool plain = mount.type && mount.major && !strncmp(mount.source, "/dev/", 5) && device.block_name &&
                 strncmp(mount.source, "/dev/mapper", 11) && strcmp(mount.source, "/dev/root");
    if (plain)
        assert_string_equal(mount.source + 5, device.block_name);
    mount_release(&mount);
    if (!plain)
        skip();
}

int test_device(int argc, char *argv[])
{
    (void)argc;
    (void)argv;
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(nothing_known_is_nothing_known),
        TEST(a_partition_has_its_disks_facts),
        TEST(hostile_numbers_are_unknown),
        TEST(a_loop_device_has_a_file),
        TEST(btrfs_is_found_by_its_source),
        TEST(an_overlay_has_the_facts_of_its_upper_layer),
        TEST(the_upper_layer_on_a_server_is_not_looked_at),
        TEST(a_fuse_mount_and_its_only_server),
        TEST(the_connection_tells_servers_apart),
        TEST(this_machine_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
