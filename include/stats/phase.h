// phase.h: the parts of an operation whose latency is kept apart.
#pragma once

// PHASE_OP is the operation as the workload defines it; the others are single calls inside it or around it.
// The names (phase_name) are the keys of "latency" in the run document.
enum phase {
    PHASE_OP,
    PHASE_OPEN,
    PHASE_READ,
    PHASE_WRITE,
    PHASE_FSYNC,
    PHASE_DIRSYNC,
    PHASE_CLOSE,
    PHASE_READDIR,
    PHASE_RMDIR,
    PHASE_COUNT
};

const char *phase_name(enum phase phase);
