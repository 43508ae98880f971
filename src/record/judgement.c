// judgement.c: names of verdicts, and the end of a judgement; analysis/ makes it.
#include "record/judgement.h"

#include <stdlib.h>

static const char *const verdict_names[VERDICT_COUNT] = {
    [VERDICT_NOT_CHECKED] = "not checked", [VERDICT_INFO] = "info",       [VERDICT_CAVEAT] = "caveat",
    [VERDICT_REFUSE] = "refuse",           [VERDICT_DISCARD] = "discard",
};

const char *verdict_name(enum verdict verdict)
{
    return verdict_names[verdict];
}

void finding_release(struct finding *finding)
{
    free(finding->message);
    for (size_t i = 0; i < finding->evidence_count; i++)
        free(finding->evidence[i].text);
    *finding = (struct finding){0};
}

void judgement_release(struct judgement *judgement)
{
    metrics_release(&judgement->metrics);
    for (size_t i = 0; i < judgement->finding_count; i++)
        finding_release(&judgement->findings[i]);
    free(judgement->findings);
    free(judgement->headline);
    *judgement = (struct judgement){0};
}
