// capability.c: the members of what a tier supports in a document.
#include "record/capability.h"

const struct field capability_fields[] = {
    FIELD(capability, o_direct, FIELD_FLAG),
    FIELD(capability, o_direct_why, FIELD_TEXT),
    FIELD(capability, direct_memory_alignment_bytes, FIELD_COUNT),
    FIELD(capability, direct_alignment_bytes, FIELD_COUNT),
    FIELD(capability, evict, FIELD_FLAG),
    FIELD(capability, evict_why, FIELD_TEXT),
    FIELD(capability, residency, FIELD_FLAG),
    FIELD(capability, d_type, FIELD_FLAG),
    FIELD(capability, fallocate, FIELD_FLAG),
    FIELD(capability, xattr, FIELD_FLAG),
    FIELD(capability, syncfs, FIELD_TEXT),
    FIELDS_END,
};

const struct field probes_fields[] = {
    FIELD(probes, fsync_bytes, FIELD_COUNT),   FIELD(probes, write_ns, FIELD_COUNT),
    FIELD(probes, fsync_ns, FIELD_COUNT),      FIELD(probes, fsync_again_ns, FIELD_COUNT),
    FIELD(probes, stat_again_ns, FIELD_COUNT), FIELD(probes, stat_later_ns, FIELD_COUNT),
    FIELD(probes, stat_wait_ns, FIELD_COUNT),  FIELDS_END,
};
