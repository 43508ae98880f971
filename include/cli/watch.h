// watch.h: what the screens show (struct duel), kept up to date from a running engine.
#pragma once

#include "analysis/page.h"
#include "base/text.h"
#include "cli/session.h"
#include "engine/engine.h"
#include "tui/duel.h"
#include "tui/glyphs.h"

#include <stdbool.h>
#include <stddef.h>

struct watch {
    struct engine *engine;
    const struct session *session;
    const struct glyphs *glyphs;
    struct engine_look look;
    struct duel duel; // for the views
    size_t shown;     // section of the schedule that was the last to begin: its workload is in the panes
    struct page page;
    size_t page_samples;          // how many it was made from
    enum activity page_activity;  // and when
    bool page_save_failed;        // and whether that could be saved
    uint64_t page_rests_until_ns; // CLOCK_MONOTONIC: while the run goes on it isn't made again before
    struct text doing, saved_as, warning;
};

void watch_open(struct watch *watch, struct engine *engine, const struct session *session,
                const struct glyphs *glyphs);

// Looks again. `frozen` keeps the panes and the table as they are, while progress goes on, until the run is
// over.
void watch_refresh(struct watch *watch, bool frozen);

void watch_close(struct watch *watch);
