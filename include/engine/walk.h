// walk.h: the walk of a tree, which walk and walk-later have in common.
#pragma once

#include "engine/worker.h"

// The stage: opens and reads each directory of the batch's tree, and stats each file that it finds there.
void walk_tree(struct worker *worker);
