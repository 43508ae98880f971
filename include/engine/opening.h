// opening.h: how the conductor begins a run: scratch directories, what each disk supports, what the tool
// costs, how busy others keep the machine.
#pragma once

#include "base/error.h"
#include "engine/conductor.h"

#include <stdbool.h>

// Fills the run's supports, probes and calibration. False where a scratch directory can't be made; what was
// made by then is still there. Ends early, with what is known, where the run is to stop.
bool opening_do(struct engine *engine, struct error *error);
