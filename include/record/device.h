// device.h: what lies below a mount: block device, read-ahead, FUSE server. What isn't known is absent.
#pragma once

#include "record/fields.h"

struct device {
    char *upper_device;            // an overlay's: the device "8:1" that its upper layer lies on
    char *upper_path;              // and the directory, as the mount names it
    struct count read_ahead_bytes; // of the backing device (bdi)
    struct count bdi_max_ratio;

    char *block_name;  // "sda1", "loop0"
    char *block_model; // of the whole disk
    struct flag rotational;
    char *scheduler;
    struct count logical_block_bytes;
    struct count queue_read_ahead_bytes;
    char *backing_file; // of a loop device

    char *fuse_subtype; // "sshfs"
    struct count fuse_max_read_bytes;
    char *fuse_server; // name of the process that serves it, where it can be seen
};

// In a document, those that tell most of a mount stand in its "mount", all others in "device".
extern const struct field device_mount_fields[];
extern const struct field device_fields[];
