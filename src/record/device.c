// device.c: the members of a device in a document.
#include "record/device.h"

const struct field device_mount_fields[] = {
    FIELD(device, upper_device, FIELD_TEXT),
    FIELD(device, read_ahead_bytes, FIELD_COUNT),
    FIELDS_END,
};

const struct field device_fields[] = {
    FIELD(device, upper_path, FIELD_TEXT),
    FIELD(device, bdi_max_ratio, FIELD_COUNT),
    FIELD(device, block_name, FIELD_TEXT),
    FIELD(device, block_model, FIELD_TEXT),
    FIELD(device, rotational, FIELD_FLAG),
    FIELD(device, scheduler, FIELD_TEXT),
    FIELD(device, logical_block_bytes, FIELD_COUNT),
    FIELD(device, queue_read_ahead_bytes, FIELD_COUNT),
    FIELD(device, backing_file, FIELD_TEXT),
    FIELD(device, fuse_subtype, FIELD_TEXT),
    FIELD(device, fuse_max_read_bytes, FIELD_COUNT),
    FIELD(device, fuse_server, FIELD_TEXT),
    FIELDS_END,
};
