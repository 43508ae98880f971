// rule_environment.h: what the machine and the mounts did to a run (design: measuring, 1.2 F).
#pragma once

#include "analysis/rule.h"

enum outcome rule_cpu_throttled(const struct subject *subject, struct answer *answer);
enum outcome rule_cpu_stolen(const struct subject *subject, struct answer *answer);
enum outcome rule_memory_pressure(const struct subject *subject, struct answer *answer);
enum outcome rule_io_pressure_foreign(const struct subject *subject, struct answer *answer);
enum outcome rule_nearly_full(const struct subject *subject, struct answer *answer);
enum outcome rule_age_unknown(const struct subject *subject, struct answer *answer);
enum outcome rule_same_storage(const struct subject *subject, struct answer *answer);
enum outcome rule_mount_differs(const struct subject *subject, struct answer *answer);
