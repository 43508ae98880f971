// system.c: the members of what the machine did in a document.
#include "record/system.h"

const struct field system_use_fields[] = {
    FIELD(system_use, cpu_ns, FIELD_COUNT),          FIELD(system_use, involuntary_switches, FIELD_COUNT),
    FIELD(system_use, throttled_ns, FIELD_COUNT),    FIELD(system_use, throttled_periods, FIELD_COUNT),
    FIELD(system_use, steal_ns, FIELD_COUNT),        FIELD(system_use, cpu_pressure_ns, FIELD_COUNT),
    FIELD(system_use, io_pressure_ns, FIELD_COUNT),  FIELD(system_use, memory_pressure_ns, FIELD_COUNT),
    FIELD(system_use, memory_events, FIELD_COUNT),   FIELD(system_use, memory_bytes, FIELD_COUNT),
    FIELD(system_use, dirty_bytes, FIELD_COUNT),     FIELD(system_use, available_bytes, FIELD_COUNT),
    FIELD(system_use, disk_read_bytes, FIELD_COUNT), FIELD(system_use, disk_written_bytes, FIELD_COUNT),
    FIELD(system_use, disk_busy_ns, FIELD_COUNT),    FIELD(system_use, realtime_drift_ns, FIELD_SIGNED),
    FIELD(system_use, suspended_ns, FIELD_COUNT),    FIELDS_END,
};
