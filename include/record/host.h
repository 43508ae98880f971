// host.h: the machine that a run was measured on, and what it is limited to. What isn't known is absent.
#pragma once

#include "record/fields.h"

struct host {
    char *hostname;
    char *boot_id;
    char *machine_id_sha256; // of /etc/machine-id, hexadecimal: the id itself is nobody's business
    char *container; // "docker", "kubernetes", "lxc"…: what points at one; absent where nothing does
    char *cgroup;    // the path of the process's own group
    char *kernel;    // release
    char *kernel_version;
    char *arch;
    char *libc;           // "glibc 2.36", "musl"
    char *hypervisor;     // "kvm", …, or "yes" where only the CPU's flag tells
    struct count uid;     // effective
    char *capabilities;   // effective, hexadecimal, as proc(5) has them
    struct count seccomp; // mode: 0 off, 1 strict, 2 filter
    struct signed_count nice;
    char *ioprio; // "best-effort 4", "idle", "none"

    struct host_cpu {
        char *model;
        struct count online;
        struct count affinity; // CPUs that this process may run on
        struct real quota;     // CPUs that the control group may use
        char *governor;
        struct real mhz; // of the first CPU, at the run's start
    } cpu;

    struct host_memory {
        struct count total_bytes;
        struct count available_bytes;
        struct count limit_bytes; // the least of the control groups', its own and those above
        struct count high_bytes;  // memory.high, likewise (cgroup v2)
        struct count swap_total_bytes;
        struct count swap_free_bytes;
    } memory;

    struct host_limits {
        struct count pids_max;
        char *io_max;        // the lines of io.max (v2) or of blkio.throttle.* (v1) that limit something
        struct count nofile; // RLIMIT_NOFILE and so on, the soft ones; absent where there is no limit
        struct count fsize_bytes;
        struct count memlock_bytes;
        struct count as_bytes;
        struct count nproc;
    } limits;

    struct host_vm {
        struct count dirty_ratio;
        struct count dirty_background_ratio;
        struct count dirty_bytes;
        struct count dirty_background_bytes;
        struct count dirty_expire_centisecs;
    } vm;

    struct host_clock {
        char *source;
        struct count resolution_ns; // the least step seen
        struct count read_ns;       // what one reading costs
    } clock;
};

void host_json_write(const struct host *host, struct json_out *out); // the value of "host"
bool host_json_read(const struct json_value *value, struct host *host, struct error *error);
void host_release(struct host *host);
