// target.h: a directory that the user named, opened once and used by its descriptor ever after.
#pragma once

#include "base/error.h"
#include "engine/io.h"
#include "record/run.h"
#include "spec/tier.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct target {
    int dirfd; // -1 for null:
    const struct io_calls *calls;
};

// Opens what the user named (links on the way are followed, as with any path) and records path, mount and
// space in `tier`. Refuses what isn't a directory or can't be entered or written. A null: tier has no
// directory and no mount.
bool target_open(const struct tier_name *name, struct target *target, struct run_tier *tier,
                 struct error *error);
void target_close(struct target *target);

// The same on a thread of its own, at most that long: a disk that hangs gets a plain error. What is known of
// the device below it is looked up too.
bool target_open_within(const struct tier_name *name, uint64_t timeout_ns, struct target *target,
                        struct run_tier *tier, struct error *error);

// What is free now.
void target_space_after(const struct target *target, struct space_after *after);

// Gives tiers without a name theirs: "persistent" and "ephemeral" where A is FUSE or network and B isn't,
// else "A" and "B". Equal names are an error. `swapped` is set where B looks like the persistent one and A
// doesn't.
bool target_names(struct run *run, const struct tier_name names[], bool *swapped, struct error *error);
