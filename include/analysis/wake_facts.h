// wake_facts.h: what the rules about a wake test ask for: what was planted, and what was found afterwards.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wake_facts {
    bool has_boot_ids;
    bool same_boot_id;
    bool has_machine_ids;
    bool same_machine_id;
    bool has_uptime;
    uint64_t uptime_ns; // of the machine that verifies
    uint64_t gap_ns;    // between planting and verifying, by the wall clock
    bool has_digests;
    size_t files;           // planted
    size_t files_identical; // size, SHA-256 and MD5
    size_t files_missing;
    size_t files_read_first; // read for the first time after the wake
};
