// rule_persistence.c: whether a wake test shows that a disk outlives its machine.
#include "analysis/rule_persistence.h"

#include "analysis/wake_facts.h"
#include "base/clock.h"
#include "base/xalloc.h"

#include <inttypes.h>
#include <stdlib.h>

// "41 minutes", in the largest unit of which there are two.
static void put_gap(struct answer *answer, const char *name, uint64_t ns)
{
    static const struct {
        const char *words;
        uint64_t seconds;
    } units[] = {{"days", 86400}, {"hours", 3600}, {"minutes", 60}, {"seconds", 1}};
    const size_t last = sizeof units / sizeof *units - 1;
    uint64_t seconds = ns / NS_PER_S;
    size_t unit = 0;
    while (unit < last && seconds < 2 * units[unit].seconds)
        unit++;
    char *words = xformat("%" PRIu64 " %s", seconds / units[unit].seconds, units[unit].words);
    answer_put_text(answer, name, words);
    free(words);
}

// A boot id is drawn at each start of a kernel. A machine that is resumed from a snapshot keeps it, and is up
// for less time than passed; containers made from one image can share a machine id.
enum outcome rule_woke_same_machine(const struct subject *subject, struct answer *answer)
{
    enum { NEVER_CHANGED, UP_FOR_LESS, SAME_MACHINE_ID };
    const struct wake_facts *wake = subject->wake;
    if (!wake->has_boot_ids)
        return answer_lacks(answer, "the boot ids before and after aren't known");
    if (!wake->same_boot_id) {
        if (!wake->has_machine_ids || !wake->same_machine_id)
            return OUTCOME_QUIET;
        answer->verdict = VERDICT_CAVEAT;
        answer->message = SAME_MACHINE_ID;
        return OUTCOME_FIRED;
    }
    if (wake->has_uptime && wake->uptime_ns < wake->gap_ns) {
        put_gap(answer, "uptime", wake->uptime_ns);
        put_gap(answer, "gap", wake->gap_ns);
        answer->verdict = VERDICT_CAVEAT;
        answer->message = UP_FOR_LESS;
        return OUTCOME_FIRED;
    }
    answer->statistic = "claim";
    return OUTCOME_FIRED;
}

// Size, SHA-256 and MD5 of every file.
enum outcome rule_persist_hash(const struct subject *subject, struct answer *answer)
{
    enum { ALL_ELSEWHERE, ALL, NOT_ALL };
    const struct wake_facts *wake = subject->wake;
    if (!wake->has_digests)
        return answer_lacks(answer, "the digests before and after aren't known");
    if (wake->files == 0)
        return answer_lacks(answer, "no files were planted");
    answer_put(answer, "identical", QUANTITY_COUNT, (double)wake->files_identical);
    answer_put(answer, "files", QUANTITY_COUNT, (double)wake->files);
    answer_put(answer, "missing", QUANTITY_COUNT, (double)wake->files_missing);
    put_gap(answer, "gap", wake->gap_ns);
    if (wake->files_identical < wake->files || wake->files_missing > 0) {
        answer->message = NOT_ALL;
        return OUTCOME_FIRED;
    }
    answer->verdict = VERDICT_INFO;
    answer->message = wake->has_boot_ids && !wake->same_boot_id ? ALL_ELSEWHERE : ALL;
    return OUTCOME_FIRED;
}

enum outcome rule_wake_single(const struct subject *subject, struct answer *answer)
{
    const struct wake_facts *wake = subject->wake;
    if (wake->files_read_first == 0)
        return answer_lacks(answer, "no file was read for the first time after the wake");
    if ((double)wake->files_read_first >= subject_threshold(subject, THRESHOLD_WAKE_FILES))
        return OUTCOME_QUIET;
    answer_put(answer, "files", QUANTITY_COUNT, (double)wake->files_read_first);
    answer->message = wake->files_read_first == 1 ? 0 : 1;
    return OUTCOME_FIRED;
}
