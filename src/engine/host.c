// host.c (engine): tables of what stands in which of the kernel's files, and what system calls tell.
#include "engine/host.h"

#include "base/text.h"
#include "base/units.h"
#include "base/xalloc.h"
#include "engine/cgroup.h"
#include "engine/proc.h"
#include "record/run_json.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <sha2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

static char *line_of(const char *root, const char *file)
{
    return proc_line(root, file);
}

static struct count count_of(const char *root, const char *file, const char *key, uint64_t scale)
{
    uint64_t number, scaled;
    if (!proc_file_number(root, file, key, &number) || __builtin_mul_overflow(number, scale, &scaled))
        return (struct count){0};
    return known_count(scaled);
}

// ---- What one line of a file tells ----

static const struct {
    const char *file;
    size_t offset;
} lines[] = {
    {"proc/sys/kernel/random/boot_id", offsetof(struct host, boot_id)},
    {"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", offsetof(struct host, cpu.governor)},
    {"sys/devices/system/clocksource/clocksource0/current_clocksource", offsetof(struct host, clock.source)},
};

static const struct {
    const char *file;
    const char *key;
    uint64_t scale;
    size_t offset;
} counts[] = {
    {"proc/self/status", "Seccomp:", 1, offsetof(struct host, seccomp)},
    {"proc/meminfo", "MemTotal:", KIB, offsetof(struct host, memory.total_bytes)},
    {"proc/meminfo", "MemAvailable:", KIB, offsetof(struct host, memory.available_bytes)},
    {"proc/meminfo", "SwapTotal:", KIB, offsetof(struct host, memory.swap_total_bytes)},
    {"proc/meminfo", "SwapFree:", KIB, offsetof(struct host, memory.swap_free_bytes)},
    {"proc/sys/vm/dirty_ratio", "", 1, offsetof(struct host, vm.dirty_ratio)},
    {"proc/sys/vm/dirty_background_ratio", "", 1, offsetof(struct host, vm.dirty_background_ratio)},
    {"proc/sys/vm/dirty_bytes", "", 1, offsetof(struct host, vm.dirty_bytes)},
    {"proc/sys/vm/dirty_background_bytes", "", 1, offsetof(struct host, vm.dirty_background_bytes)},
    {"proc/sys/vm/dirty_expire_centisecs", "", 1, offsetof(struct host, vm.dirty_expire_centisecs)},
};

static void look_at_files(const char *root, struct host *host)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        *(char **)((char *)host + lines[i].offset) = line_of(root, lines[i].file);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        *(struct count *)((char *)host + counts[i].offset) =
            count_of(root, counts[i].file, counts[i].key, counts[i].scale);
}

// The id itself is confidential (machine-id(5)).
static void look_at_machine_id(const char *root, struct host *host)
{
    char *id = line_of(root, "etc/machine-id");
    char digest[SHA256_DIGEST_STRING_LENGTH];
    if (id && SHA256Data((const uint8_t *)id, strlen(id), digest))
        host->machine_id_sha256 = xstrdup(digest);
    free(id);
}

// ---- Containers and hypervisors ----

static bool has_file(const char *root, const char *file)
{
    char *path = xformat("%s/%s", root, file);
    bool has = access(path, F_OK) == 0;
    free(path);
    return has;
}

// Words in the paths of control groups, as the tools that make them name them.
static const struct {
    const char *word;
    const char *container;
} group_words[] = {
    {"kubepods", "kubernetes"},   {"docker", "docker"}, {"libpod", "podman"}, {"lxc", "lxc"},
    {"containerd", "containerd"},
};

static const char *container_by_groups(const char *groups)
{
    for (size_t i = 0; i < sizeof group_words / sizeof *group_words; i++)
        if (strstr(groups, group_words[i].word))
            return group_words[i].container;
    return NULL;
}

// The first that points at one: an orchestrator before the tool that it uses.
static char *container_of(const char *root, const char *groups)
{
    const char *by_groups = container_by_groups(groups);
    if (getenv("KUBERNETES_SERVICE_HOST") || (by_groups && !strcmp(by_groups, "kubernetes")))
        return xstrdup("kubernetes");
    char *named = line_of(root, "run/systemd/container");
    if (named)
        return named;
    if (has_file(root, "run/.containerenv"))
        return xstrdup("podman");
    if (by_groups)
        return xstrdup(by_groups);
    return has_file(root, ".dockerenv") ? xstrdup("docker") : NULL;
}

// The group of its own in the hierarchy that tells most: the first of these in which it isn't at the top.
static char *group_of(const char *groups)
{
    static const char *const controllers[] = {"", "memory", "cpu", "pids", "name=systemd"};
    char *top = NULL;
    for (size_t i = 0; i < sizeof controllers / sizeof *controllers; i++) {
        char *path = cgroup_path(groups, controllers[i]);
        if (path && strcmp(path, "/") != 0) {
            free(top);
            return path;
        }
        if (top)
            free(path);
        else
            top = path;
    }
    return top;
}

static void look_at_container(const char *root, struct host *host)
{
    char *path = xformat("%s/proc/self/cgroup", root);
    struct text groups = {0};
    proc_read(path, &groups);
    host->container = container_of(root, text_string(&groups));
    host->cgroup = group_of(text_string(&groups));
    text_free(&groups);
    free(path);
}

// What a guest sees of its hypervisor: a clock that only it offers, or the vendor of the machine (dmi).
static const struct {
    const char *file;
    const char *word;
    const char *hypervisor;
} hypervisors[] = {
    {"sys/devices/system/clocksource/clocksource0/available_clocksource", "kvm-clock", "kvm"},
    {"sys/devices/system/clocksource/clocksource0/available_clocksource", "hyperv_clocksource", "hyper-v"},
    {"sys/class/dmi/id/sys_vendor", "VMware", "vmware"},
    {"sys/class/dmi/id/sys_vendor", "innotek", "virtualbox"},
    {"sys/class/dmi/id/sys_vendor", "QEMU", "qemu"},
};

static char *hypervisor_of(const char *root, bool flagged)
{
    char *type = line_of(root, "sys/hypervisor/type"); // "xen"
    if (type)
        return type;
    for (size_t i = 0; i < sizeof hypervisors / sizeof *hypervisors; i++) {
        char *line = line_of(root, hypervisors[i].file);
        bool found = line && strstr(line, hypervisors[i].word);
        free(line);
        if (found)
            return xstrdup(hypervisors[i].hypervisor);
    }
    return flagged ? xstrdup("yes") : NULL;
}

// ---- The CPU ----

// The value of the first line "KEY: value" (/proc/cpuinfo, proc(5)'s status).
static char *line_value(const char *text, const char *key)
{
    size_t length = strlen(key);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *after = line + length;
        if (strncmp(line, key, length) != 0)
            continue;
        after += strspn(after, " \t");
        if (*after != ':')
            continue;
        after++;
        after += strspn(after, " \t");
        size_t value = strcspn(after, "\n");
        return value ? xstrndup(after, value) : NULL;
    }
    return NULL;
}

// "2100.000", whatever the locale's decimal point is.
static struct real real_of(const char *text)
{
    char *end;
    errno = 0;
    uint64_t whole = strtoumax(text, &end, 10);
    if (*text < '0' || *text > '9' || errno)
        return (struct real){0};
    double value = (double)whole, place = 0.1;
    if (*end == '.')
        for (const char *digit = end + 1; *digit >= '0' && *digit <= '9'; digit++, place /= 10)
            value += place * (*digit - '0');
    return (struct real){.known = true, .value = value};
}

// "0-3,8,10-11"
static struct count cpus_of_list(const char *list)
{
    uint64_t sum = 0;
    for (const char *at = list; *at;) {
        char *end;
        errno = 0;
        uint64_t first = strtoumax(at, &end, 10), last = first;
        if (*at < '0' || *at > '9' || errno)
            return (struct count){0};
        if (*end == '-' && end[1] >= '0' && end[1] <= '9')
            last = strtoumax(end + 1, &end, 10);
        if (last < first || last > UINT32_MAX || (*end && (*end != ',' || !end[1])))
            return (struct count){0};
        sum += last - first + 1;
        at = end + (*end == ',');
    }
    return (struct count){.known = sum > 0, .value = sum};
}

static struct count affinity(void)
{
    enum { CPUS_MOST = 1 << 16 };
    for (size_t cpus = 1024; cpus <= CPUS_MOST; cpus *= 2) {
        cpu_set_t *set = CPU_ALLOC(cpus);
        size_t size = CPU_ALLOC_SIZE(cpus);
        bool known = set && sched_getaffinity(0, size, set) == 0;
        struct count count = known ? known_count((uint64_t)CPU_COUNT_S(size, set)) : (struct count){0};
        CPU_FREE(set);
        if (known || errno != EINVAL) // EINVAL: the machine has more
            return count;
    }
    return (struct count){0};
}

static void look_at_cpu(const char *root, struct host *host)
{
    // One CPU architecture names its model by this word, another by that.
    static const char *const models[] = {"model name", "cpu model", "cpu", "Processor", "Model"};
    char *path = xformat("%s/proc/cpuinfo", root);
    struct text text = {0};
    proc_read(path, &text);
    const char *cpuinfo = text_string(&text);
    for (size_t i = 0; !host->cpu.model && i < sizeof models / sizeof *models; i++)
        host->cpu.model = line_value(cpuinfo, models[i]);

    char *mhz = line_value(cpuinfo, "cpu MHz"), *flags = line_value(cpuinfo, "flags");
    char *online = line_of(root, "sys/devices/system/cpu/online");
    struct count khz = count_of(root, "sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "", 1);
    if (khz.known)
        host->cpu.mhz = (struct real){.known = true, .value = (double)khz.value / 1000};
    else if (mhz)
        host->cpu.mhz = real_of(mhz);
    if (online)
        host->cpu.online = cpus_of_list(online);
    host->cpu.affinity = affinity();
    host->hypervisor = hypervisor_of(root, flags && strstr(flags, " hypervisor"));
    free(mhz);
    free(flags);
    free(online);
    text_free(&text);
    free(path);
}

// ---- What control groups allow: the least of all that it lies in ----

static void keep_least(struct count *least, uint64_t candidate)
{
    if (!least->known || candidate < least->value)
        *least = known_count(candidate);
}

static void visit_memory(void *argument, const char *folder)
{
    struct host *host = argument;
    uint64_t limit;
    if (cgroup_memory_limit(folder, &limit))
        keep_least(&host->memory.limit_bytes, limit);
    if (cgroup_limit(folder, "memory.high", &limit))
        keep_least(&host->memory.high_bytes, limit);
}

static void visit_pids(void *argument, const char *folder)
{
    struct host *host = argument;
    uint64_t limit;
    if (cgroup_limit(folder, "pids.max", &limit))
        keep_least(&host->limits.pids_max, limit);
}

static void visit_cpu(void *argument, const char *folder)
{
    struct host *host = argument;
    double cpus;
    if (cgroup_quota(folder, &cpus) && (!host->cpu.quota.known || cpus < host->cpu.quota.value))
        host->cpu.quota = (struct real){.known = true, .value = cpus};
}

// Of version 2: "8:0 rbps=max wbps=1048576 riops=max wiops=max". Of version 1 each file has one of the four,
// "8:0 1048576", which is given the same words.
static const struct {
    const char *file;
    const char *word;
} io_files[] = {
    {"io.max", NULL},
    {"blkio.throttle.read_bps_device", "rbps"},
    {"blkio.throttle.write_bps_device", "wbps"},
    {"blkio.throttle.read_iops_device", "riops"},
    {"blkio.throttle.write_iops_device", "wiops"},
};

static bool limits_something(const char *line, const char *word)
{
    const char *value = strchr(line, word ? ' ' : '=');
    for (; value; value = word ? NULL : strchr(value + 1, '='))
        if (value[1] >= '0' && value[1] <= '9')
            return true;
    return false;
}

static void visit_io(void *argument, const char *folder)
{
    struct text *out = argument;
    for (size_t i = 0; i < sizeof io_files / sizeof *io_files; i++) {
        char *path = xformat("%s/%s", folder, io_files[i].file), *rest = NULL;
        struct text text = {0};
        if (proc_read(path, &text) && text.length)
            for (char *line = strtok_r(text.bytes, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
                if (!limits_something(line, io_files[i].word))
                    continue;
                const char *between = out->length ? "; " : "";
                if (!io_files[i].word)
                    text_printf(out, "%s%s", between, line);
                else
                    text_printf(out, "%s%.*s %s=%s", between, (int)strcspn(line, " "), line, io_files[i].word,
                                strchr(line, ' ') + 1);
            }
        text_free(&text);
        free(path);
    }
}

static void look_at_groups(const char *root, struct host *host)
{
    struct text io = {0};
    cgroup_walk(root, "memory", visit_memory, host);
    cgroup_walk(root, "pids", visit_pids, host);
    cgroup_walk(root, "cpu", visit_cpu, host);
    cgroup_walk(root, "blkio", visit_io, &io);
    if (io.length)
        host->limits.io_max = xstrdup(text_string(&io));
    text_free(&io);
}

// ---- What system calls tell ----

static void look_at_limits(struct host *host)
{
    const struct {
        unsigned resource;
        struct count *count;
    } limits[] = {
        {RLIMIT_NOFILE, &host->limits.nofile},         {RLIMIT_FSIZE, &host->limits.fsize_bytes},
        {RLIMIT_MEMLOCK, &host->limits.memlock_bytes}, {RLIMIT_AS, &host->limits.as_bytes},
        {RLIMIT_NPROC, &host->limits.nproc},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct rlimit limit;
        if (getrlimit(limits[i].resource, &limit) == 0 && limit.rlim_cur <= RUN_INTEGER_MOST)
            *limits[i].count = known_count(limit.rlim_cur);
    }
}

// Class and level are packed as linux/ioprio.h has them.
static char *ioprio(void)
{
    enum { IOPRIO_WHO_PROCESS = 1, IOPRIO_CLASS_SHIFT = 13, IOPRIO_LEVELS = 8 };
    static const char *const classes[] = {"none", "realtime", "best-effort", "idle"};
    static const bool has_level[] = {false, true, true, false};
    long value = syscall(SYS_ioprio_get, IOPRIO_WHO_PROCESS, 0);
    size_t class = value < 0 ? SIZE_MAX : (size_t)value >> IOPRIO_CLASS_SHIFT;
    if (class >= sizeof classes / sizeof *classes)
        return NULL;
    return has_level[class] ? xformat("%s %ld", classes[class], value % IOPRIO_LEVELS)
                            : xstrdup(classes[class]);
}

static char *libc_of(void)
{
    char name[64];
    size_t length = confstr(_CS_GNU_LIBC_VERSION, name, sizeof name); // "glibc 2.36"
    return length > 0 && length <= sizeof name ? xstrdup(name) : NULL;
}

static void look_at_process(const char *root, struct host *host)
{
    struct utsname names;
    if (uname(&names) == 0) {
        host->hostname = xstrdup(names.nodename);
        host->kernel = xstrdup(names.release);
        host->kernel_version = xstrdup(names.version);
        host->arch = xstrdup(names.machine);
    }
    host->libc = libc_of();
    host->uid = known_count(geteuid());
    host->ioprio = ioprio();
    errno = 0;
    int nice = getpriority(PRIO_PROCESS, 0);
    host->nice = (struct signed_count){.known = errno == 0, .value = nice};

    char *path = xformat("%s/proc/self/status", root);
    struct text status = {0};
    proc_read(path, &status);
    host->capabilities = line_value(text_string(&status), "CapEff");
    text_free(&status);
    free(path);
}

void host_look(const char *root, struct host *host)
{
    look_at_files(root, host);
    look_at_machine_id(root, host);
    look_at_container(root, host);
    look_at_cpu(root, host);
    look_at_groups(root, host);
    look_at_limits(host);
    look_at_process(root, host);
}
