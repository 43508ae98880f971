// plan_rules.h: what a plan's numbers may be, for an option that a user wrote as for a member of a document.
#pragma once

#include "base/error.h"
#include "spec/workload.h"

#include <stdbool.h>
#include <stdint.h>

// What messages call a setting: "--files", or "plan.workloads[3].files".
struct setting_names {
    char prefix[40];
    const char *rounds, *seed, *threads, *files, *file_bytes, *bytes, *block_bytes, *max_time;
};

extern const struct setting_names option_names;
extern const struct setting_names member_names; // with the prefix "plan."

// Each says what is wrong in a line that begins with the setting's name.
bool rules_check_range(const struct setting_names *names, const char *name, uint64_t value, uint64_t least,
                       uint64_t most, struct error *error);
bool rules_check_tree(const struct setting_names *names, const struct tree *tree, struct error *error);
bool rules_check_large(const struct setting_names *names, uint64_t bytes, struct error *error); // whole MiB
bool rules_check_block(const struct setting_names *names, uint64_t block_bytes, struct error *error);
bool rules_check_threads(const struct setting_names *names, uint64_t threads, struct error *error);
