// rule_comparison.c: what two runs can't tell, and differences that the machine shows by itself.
#include "analysis/rule_comparison.h"

#include "analysis/change_facts.h"
#include "stats/confidence.h"
#include "stats/mann_whitney.h"

#include <math.h>

// ---- Can a test answer at all? ----

// 2 / C(n1 + n2, n1): the p of complete separation.
enum outcome rule_cannot_tell_n(const struct subject *subject, struct answer *answer)
{
    const struct change_facts *change = subject->change;
    if (change->before_count == 0 || change->after_count == 0)
        return answer_lacks(answer, "%s", need_words(NEED_ROUNDS));
    double least_p = mann_whitney_least_p(change->before_count, change->after_count);
    if (confidence_significant(least_p))
        return OUTCOME_QUIET;
    answer->statistic = "word";
    bool a_side = change->before_count == change->after_count && change->before_count > 1;
    answer->message = a_side ? 0 : 1;
    answer_put(answer, "before", QUANTITY_COUNT, (double)change->before_count);
    answer_put(answer, "after", QUANTITY_COUNT, (double)change->after_count);
    answer_put(answer, "luck", QUANTITY_SHARE, least_p);
    return OUTCOME_FIRED;
}

// S. Holm, 1979.
enum outcome rule_many_comparisons(const struct subject *subject, struct answer *answer)
{
    const struct change_facts *change = subject->change;
    if (!change->has_p || !change->has_size)
        return answer_lacks(answer, "this row wasn't tested");
    if (!confidence_significant(change->p) || confidence_significant(change->p_in_family))
        return OUTCOME_QUIET;
    answer_put_text(answer, "word", change->factor > 1 ? "slower" : "faster");
    answer_put(answer, "rows", QUANTITY_COUNT, (double)change->family);
    answer_put(answer, "p", QUANTITY_NUMBER, change->p);
    answer_put(answer, "p_in_family", QUANTITY_NUMBER, change->p_in_family);
    return OUTCOME_FIRED;
}

// ---- Is it the disk? ----

enum outcome rule_both_tiers_moved(const struct subject *subject, struct answer *answer)
{
    enum { SLOWED, SPED_UP };
    const struct change_facts *change = subject->change;
    if (!change->has_control || !change->has_size)
        return answer_lacks(answer, "no rounds of both disks before and after");
    if (!change->control_moved || change->against_control_significant)
        return OUTCOME_QUIET;
    answer->message = change->control_factor > 1 ? SLOWED : SPED_UP;
    answer_put(answer, "moved", QUANTITY_SHARE, fabs(change->control_factor - 1));
    answer_put(answer, "factor", QUANTITY_NUMBER, change->factor);
    answer_put(answer, "low", QUANTITY_NUMBER, change->low);
    answer_put(answer, "high", QUANTITY_NUMBER, change->high);
    return OUTCOME_FIRED;
}

// Rounds of one sitting share its state. In simulations of sittings that differ by themselves, two of them
// were told apart 30 to 64 times in a hundred (design: measuring, 2.8).
enum outcome rule_one_session_a_side(const struct subject *subject, struct answer *answer)
{
    enum { SESSIONS_LEAST = 3 };
    const struct change_facts *change = subject->change;
    size_t before = change->before_sessions, after = change->after_sessions;
    if (before == 0 || after == 0)
        return answer_lacks(answer, "how many sittings the rounds come from isn't known");
    if (before >= SESSIONS_LEAST && after >= SESSIONS_LEAST)
        return OUTCOME_QUIET;
    answer_put(answer, "before", QUANTITY_COUNT, (double)before);
    answer_put(answer, "after", QUANTITY_COUNT, (double)after);
    answer->message = before == 1 && after == 1 ? 0 : 1;
    return OUTCOME_FIRED;
}

enum outcome rule_machine_changed(const struct subject *subject, struct answer *answer)
{
    enum { MACHINE, WORKLOAD };
    const struct change_facts *change = subject->change;
    if (change->workload_differs) {
        answer->verdict = VERDICT_REFUSE;
        answer->statistic = "comparison";
        answer->message = WORKLOAD;
        return OUTCOME_FIRED;
    }
    answer->verdict = VERDICT_CAVEAT;
    answer->message = MACHINE;
    if (change->machine_differs) {
        answer_put_text(answer, "what", change->machine_differs);
        return OUTCOME_FIRED;
    }
    return change->machine_known ? OUTCOME_QUIET
                                 : answer_lacks(answer, "the machines of both runs aren't known");
}

// ---- Is it more than the machine shows by itself? ----

// How far a figure goes: of a difference, and of a disk against itself, the same way round.
struct span {
    double low, high;
};

static bool overlap(struct span a, struct span b)
{
    return a.low <= b.high && b.low <= a.high;
}

// An interval that holds 1 claims no difference, so that there is nothing to contradict.
static enum outcome judge_spans(struct span difference, struct span itself, struct answer *answer)
{
    bool claims = difference.low > 1 || difference.high < 1;
    if (!claims || !overlap(difference, itself))
        return OUTCOME_QUIET;
    answer_put(answer, "low", QUANTITY_NUMBER, difference.low);
    answer_put(answer, "high", QUANTITY_NUMBER, difference.high);
    answer_put(answer, "self_low", QUANTITY_NUMBER, itself.low);
    answer_put(answer, "self_high", QUANTITY_NUMBER, itself.high);
    return OUTCOME_FIRED;
}

static enum outcome judge_ratio(const struct subject *subject, struct answer *answer)
{
    const struct self_ratio *self = &subject->facts->run->calibration.self[subject->metric];
    const struct ratio *ratio = &subject->metrics->rows[subject->metric].ratio;
    if (!need_is_met(NEED_SELF, subject))
        return answer_lacks(answer, "%s", need_words(NEED_SELF));
    if (ratio->low <= 0 || ratio->high <= 0)
        return answer_lacks(answer, "the ratio has no interval");
    struct span itself = {self->low.value, self->high.value};
    // Where A is the faster one, the ratio is B over A.
    if (ratio->comparison == COMPARISON_FASTER && itself.low > 0)
        itself = (struct span){1 / self->high.value, 1 / self->low.value};
    return judge_spans((struct span){ratio->low, ratio->high}, itself, answer);
}

enum outcome rule_contradicts_bound(const struct subject *subject, struct answer *answer)
{
    const struct change_facts *change = subject->change;
    if (!change)
        return judge_ratio(subject, answer);
    if (!change->has_self)
        return answer_lacks(answer, "%s", need_words(NEED_SELF));
    if (!change->has_size)
        return answer_lacks(answer, "the change has no interval");
    return judge_spans((struct span){change->low, change->high},
                       (struct span){change->self_low, change->self_high}, answer);
}
