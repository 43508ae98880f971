// thresholds.c: the figures of the rules, changed by name, and in a document.
#include "record/thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What may be asked for: a share from 0 to 1, or how many times one figure is another.
#define SHARE  .least = 0, .most = 1
#define FACTOR .least = 1, .most = 1000

const struct threshold_entry threshold_entries[THRESHOLD_COUNT] = {
    [THRESHOLD_PERCENTILE_TAIL] = {"op-percentile-gate.tail", 10, 1, 1000,
                                   "operations of a round that must lie beyond a percentile to show it"},
    [THRESHOLD_TAIL_SHARE] = {"tail-in-one-round.share", 0.5, SHARE,
                              "share of the slowest twentieth above which one round has the tail"},
    [THRESHOLD_STALL_SHARE] = {"stall-share.share", 0.1, SHARE,
                               "share of a round's time above which one operation is a stall"},
    [THRESHOLD_FIRST_ROUND_FACTOR] = {"first-round-differs.factor", 2, FACTOR,
                                      "how many times as slow or as fast as the others round 1 must be"},
    [THRESHOLD_FIRST_ROUND_RANGES] = {"first-round-differs.ranges", 3, .least = 0, .most = 1000,
                                      "and how many times their range it must be away from them"},
    [THRESHOLD_NOT_REPEATABLE] = {"not-repeatable.factor", 3, FACTOR,
                                  "slowest over fastest of 5 rounds from which there is no single number"},
    [THRESHOLD_WIDE_RANGE] = {"wide-range.factor", 1.5, FACTOR,
                              "slowest over fastest of 5 rounds from which the range is wide"},
    [THRESHOLD_STEADY_RANGE] = {"not-steady.range", 0.20, SHARE,
                                "range of the last 5 rounds, as a share of their mean, that is steady"},
    [THRESHOLD_STEADY_RISE] = {"not-steady.rise", 0.10, SHARE,
                               "rise over the last 5 rounds, as a share of their mean, that is steady"},
    [THRESHOLD_DRIFT_RISE] = {"drifting.rise", 0.10, SHARE,
                              "rise over all rounds, as a share of their mean, above which they drift"},
    [THRESHOLD_LEVELS_FACTOR] = {"two-levels.factor", 1.3, FACTOR, "gap between two levels of rounds"},
    [THRESHOLD_ORDER_FACTOR] = {"order-effect.factor", 1.25, FACTOR,
                                "medians of rounds that ran first and second, the greater over the less"},
    [THRESHOLD_SELF_RATIO] = {"self-comparison-fails.ratio", 1.11, FACTOR,
                              "ratio of a disk to itself above which the comparison fails"},
    [THRESHOLD_RAMP_RATE] = {"ramp-in-round.rate", 0.5, SHARE,
                             "rate of a round's first tenth, of that of its middle, below which it ramps up"},
    [THRESHOLD_SWEEP_MARGIN] = {"size-sweep-select.margin", 1.10, FACTOR,
                                "average rate over that between two sizes up to which a size may be quoted"},
    [THRESHOLD_SWEEP_BUFFERED] = {"size-sweep-select.buffered", 1.25, FACTOR,
                                  "rate of a size over the reported one above which it is the buffer's"},
    [THRESHOLD_SWEEP_LEVELLED] = {"buffer-not-outrun.levelled", 0.20, SHARE,
                                  "difference of the last two rates between sizes that is level"},
    [THRESHOLD_SWEEP_DISCARD] = {"buffer-not-outrun.discard", 1.5, FACTOR,
                                 "average rate over the last between sizes above which none is reported"},
    [THRESHOLD_KNEE_FACTOR] = {"knee.factor", 1.5, FACTOR, "rate before the knee of a write over that after"},
    [THRESHOLD_FSYNC_WAIT] = {"fsync-does-not-wait.seconds", 0.2, .least = 0, .most = 3600,
                              "seconds that fsync is expected to wait, below which it isn't judged"},
    [THRESHOLD_FSYNC_SHARE] = {"fsync-does-not-wait.share", 0.1, SHARE,
                               "share of that wait below which fsync doesn't wait"},
    [THRESHOLD_BACKLOG_SHARE] = {"backlog-at-start.share", 0.1, SHARE,
                                 "unsaved data at the start, as a share of what is written"},
    [THRESHOLD_BACKLOG_BYTES] = {"backlog-at-start.mib", 64, .least = 0, .most = 1048576,
                                 "unsaved data at the start, in MiB, that is too much in any case"},
    [THRESHOLD_WRITE_READ_FACTOR] = {"write-outruns-read.factor", 4, FACTOR,
                                     "rate of writing over that of reading back cold"},
    [THRESHOLD_CLOSE_SHARE] = {"close-carries-cost.share", 0.1, SHARE,
                               "share of the time from open to close that is in close"},
    [THRESHOLD_SPARSE_SHARE] = {"sparse-file.share", 0.95, SHARE,
                                "share of a file that must take room on the disk"},
    [THRESHOLD_DIRECT_FACTOR] = {"direct-beats-cached.factor", 1.5, FACTOR,
                                 "rate of a direct read over that of a buffered one"},
    [THRESHOLD_DIRECT_SINGLE] = {"direct-beats-cached.single", 2, FACTOR,
                                 "the same where there is one of each alone"},
    [THRESHOLD_REQUEST_MARGIN] = {"request-size-explains.margin", 0.25, SHARE,
                                  "difference of two rates, or of two times a request, that are alike"},
    [THRESHOLD_AGAIN_MARGIN] = {"again-not-faster.margin", 1.25, FACTOR,
                                "time of a first read over that of a second one that is no faster"},
    [THRESHOLD_AGAIN_CACHED] = {"again-from-cache.factor", 5, FACTOR,
                                "rate of a second read over that of a first one, from memory"},
    [THRESHOLD_AGAIN_RESIDENT] = {"again-from-cache.resident", 0.9, SHARE,
                                  "share of a file in the page cache before a read from memory"},
    [THRESHOLD_COLD_RESIDENT] = {"cold-was-warm.resident", 0.01, SHARE,
                                 "share of a file in the page cache above which a read isn't cold"},
    [THRESHOLD_COLD_RATE] = {"cold-was-warm.gigabytes", 5, .least = 0, .most = 1000,
                             "GB a second above which no read is cold"},
    [THRESHOLD_DIRECT_RESIDENT] = {"direct-not-direct.resident", 0.1, SHARE,
                                   "share of a file that a direct read may bring into the page cache"},
    [THRESHOLD_FITS_SHARE] = {"fits-in-memory.share", 0.25, SHARE,
                              "size of a file, as a share of free memory, below which it fits"},
    [THRESHOLD_WALK_FACTOR] = {"walk-cache-window.factor", 3, FACTOR,
                               "time of a walk after a wait over that of one right after another"},
    [THRESHOLD_OVERHEAD_CAVEAT] = {"overhead-floor.caveat", 0.05, SHARE,
                                   "share of a round that is the program's own loop: a caveat"},
    [THRESHOLD_OVERHEAD_DISCARD] = {"overhead-floor.discard", 0.25, SHARE, "the same: not reported"},
    [THRESHOLD_SHORT_DISCARD] = {"too-short.discard-ms", 1, .least = 0, .most = 60000,
                                 "milliseconds below which a round isn't reported"},
    [THRESHOLD_SHORT_CAVEAT] = {"too-short.caveat-ms", 10, .least = 0, .most = 60000,
                                "milliseconds below which a round has a caveat"},
    [THRESHOLD_SHORT_STEPS] = {"too-short.steps", 1000, .least = 0, .most = 1000000,
                               "steps of the clock below which a round isn't reported"},
    [THRESHOLD_SHORT_RUN] = {"short-run.seconds", 60, .least = 0, .most = 86400,
                             "seconds of the longest write below which the run is short"},
    [THRESHOLD_CLOCK_STEP] = {"clock-stepped.ms", 50, .least = 0, .most = 60000,
                              "milliseconds that the wall clock may move by itself in a round"},
    [THRESHOLD_UNACCOUNTED] = {"time-unaccounted.share", 0.05, SHARE,
                               "share of a round's time that may be outside of operations"},
    [THRESHOLD_SCREEN_FACTOR] = {"screen-perturbs.factor", 1.05, FACTOR,
                                 "what a drawn screen may make of a round's time"},
    [THRESHOLD_THROTTLED_CAVEAT] = {"cpu-throttled.caveat", 0.01, SHARE,
                                    "share of a round that the CPU quota may hold back"},
    [THRESHOLD_THROTTLED_ROUND] = {"cpu-throttled.round", 0.10, SHARE,
                                   "the same: half the rounds above it are not reported"},
    [THRESHOLD_STOLEN_SHARE] = {"cpu-stolen.share", 0.05, SHARE,
                                "share of CPU time that other machines may take"},
    [THRESHOLD_MEMORY_PRESSURE] = {"memory-pressure.share", 0.01, SHARE,
                                   "share of a round in which something may wait for memory"},
    [THRESHOLD_IO_PRESSURE] = {"io-pressure-foreign.share", 0.05, SHARE,
                               "share of the idle time before a run in which something may wait for I/O"},
    [THRESHOLD_FREE_SHARE] = {"nearly-full.free", 0.10, SHARE,
                              "share of a disk below which it is nearly full"},
    [THRESHOLD_WAKE_FILES] = {"wake-single.files", 5, .least = 1, .most = 1000,
                              "files first read after a wake, below which there is a caveat"},
};

double threshold_value(const struct thresholds *thresholds, enum threshold threshold)
{
    return thresholds->changed[threshold] ? thresholds->given[threshold]
                                          : threshold_entries[threshold].standard;
}

bool threshold_differs(const struct thresholds *thresholds, enum threshold threshold)
{
    return threshold_value(thresholds, threshold) != threshold_entries[threshold].standard;
}

void thresholds_take(struct thresholds *thresholds, const struct thresholds *asked)
{
    for (size_t i = 0; i < THRESHOLD_COUNT; i++)
        if (asked->changed[i]) {
            thresholds->changed[i] = true;
            thresholds->given[i] = asked->given[i];
        }
}

// Gives THRESHOLD_COUNT where there is none.
static size_t find_entry(const char *name, size_t length)
{
    size_t index = 0;
    while (index < THRESHOLD_COUNT && (strncmp(threshold_entries[index].name, name, length) != 0 ||
                                       threshold_entries[index].name[length] != '\0'))
        index++;
    return index;
}

static bool in_range(const struct threshold_entry *entry, double value)
{
    return value >= entry->least && value <= entry->most;
}

// ---- Changed by name ----

// Names what it may have been meant to be: the figures of that rule, else of rules with that word in them.
static bool fail_unknown(const char *name, size_t length, struct error *error)
{
    enum { SUGGESTIONS_MOST = 6 };
    int width = (int)length;
    size_t rule = strcspn(name, ".=");
    char word[64];
    struct text meant = {0};
    unsigned matches = 0;
    if (rule < sizeof word && rule > 0) {
        memcpy(word, name, rule);
        word[rule] = '\0';
        for (size_t i = 0; i < THRESHOLD_COUNT; i++)
            if (strstr(threshold_entries[i].name, word) && matches++ < SUGGESTIONS_MOST)
                text_printf(&meant, "%s%s", matches > 1 ? ", " : "", threshold_entries[i].name);
    }
    if (matches > 0 && matches <= SUGGESTIONS_MOST)
        fail(error, "no figure is called '%.*s'; there is %s", width, name, text_string(&meant));
    else
        fail(error, "no figure is called '%.*s'; the manual page lists all, as wide-range.factor", width,
             name);
    text_free(&meant);
    return false;
}

// Digits with or without decimals, and no other form of a number.
static bool parse_number(const char *text, double *value)
{
    size_t whole = strspn(text, "0123456789");
    size_t end = whole;
    if (text[whole] == '.') {
        size_t decimals = strspn(text + whole + 1, "0123456789");
        if (decimals == 0)
            return false;
        end += 1 + decimals;
    }
    if (end == 0 || text[end] != '\0')
        return false;
    *value = strtod(text, NULL);
    return isfinite(*value);
}

bool thresholds_set(struct thresholds *thresholds, const char *assignment, struct error *error)
{
    size_t length = strcspn(assignment, "=");
    if (assignment[length] == '\0' || length == 0)
        return fail(error, "'%s' is not NAME=VALUE, as wide-range.factor=1.3", assignment);
    size_t index = find_entry(assignment, length);
    if (index == THRESHOLD_COUNT)
        return fail_unknown(assignment, length, error);
    const struct threshold_entry *entry = &threshold_entries[index];
    double value;
    if (!parse_number(assignment + length + 1, &value) || !in_range(entry, value))
        return fail(error, "%s: '%s' is not a number from %.15g to %.15g (standard %.15g)", entry->name,
                    assignment + length + 1, entry->least, entry->most, entry->standard);
    thresholds->changed[index] = true;
    thresholds->given[index] = value;
    return true;
}

void thresholds_put_changed(const struct thresholds *thresholds, struct text *text)
{
    const char *separator = "";
    for (size_t i = 0; i < THRESHOLD_COUNT; i++) {
        if (!threshold_differs(thresholds, (enum threshold)i))
            continue;
        text_printf(text, "%s%s %.15g (standard %.15g)", separator, threshold_entries[i].name,
                    thresholds->given[i], threshold_entries[i].standard);
        separator = ", ";
    }
}

// ---- In a document ----

void thresholds_json_write(const struct thresholds *thresholds, struct json_out *out)
{
    json_open(out, '{');
    for (size_t i = 0; i < THRESHOLD_COUNT; i++)
        json_put_member_number(out, threshold_entries[i].name,
                               threshold_value(thresholds, (enum threshold)i));
    json_close(out, '}');
}

bool thresholds_json_read(const struct json_value *value, struct thresholds *thresholds, struct error *error)
{
    for (size_t i = 0; i < THRESHOLD_COUNT; i++) {
        const struct threshold_entry *entry = &threshold_entries[i];
        double number = entry->standard;
        if (!json_get_number(value, entry->name, JSON_OPTIONAL, &number, error))
            return false;
        if (!in_range(entry, number))
            return json_fail_member(value, entry->name, error, "%.15g is not from %.15g to %.15g", number,
                                    entry->least, entry->most);
        thresholds->changed[i] = number != entry->standard;
        thresholds->given[i] = thresholds->changed[i] ? number : 0;
    }
    return true;
}
