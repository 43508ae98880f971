// faults.h: single calls that go wrong: they fail with an error, hang, move fewer bytes, or give wrong ones.
//
// A fault is written TYPE=KIND:ARGUMENT[:WHEN[:NAMES]]. It counts the calls of its kind (or group of kinds)
// whose file's name matches NAMES, from the moment when it is set: WHEN is 3 for the third alone, 3+ for the
// third and all that follow, and 1 where it is left out.
#pragma once

#include "base/error.h"
#include "base/text.h"
#include "kinds.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FAULTS_MOST = 64 };

struct fault {
    int type;
    uint64_t kinds;
    union {
        int error;       // fail
        uint64_t ns;     // hang; UINT64_MAX: until released
        uint64_t bytes;  // short
        uint64_t offset; // flip, flip_at
    };
    uint64_t first; // the call that it begins with, from 1
    bool onward;
    char names[NAMES_SIZE];
    uint64_t seen, hit;
    char words[2 * NAMES_SIZE]; // as it was written
};

struct faults {
    pthread_mutex_t lock;
    pthread_cond_t released;
    struct fault list[FAULTS_MOST];
    int count;
    int hung;          // calls that hang now
    uint64_t releases; // how often those that hung were let go
    bool over;         // nothing hangs any more
};

// What one call meets.
struct ordeal {
    int error;        // 0: none
    uint64_t hang_ns; // 0: doesn't
    uint64_t most;    // bytes that may be moved
};

void faults_open(struct faults *faults);
bool faults_is_type(const char *name);
bool faults_add(struct faults *faults, const char *type, const char *words, struct error *error);
bool faults_want_names(struct faults *faults);

// Counts a call and tells what it meets. `name` may be NULL where faults_want_names() says no.
struct ordeal faults_meet(struct faults *faults, enum kind kind, const char *name);

// Changes the bytes that a read is about to give back.
void faults_flip(struct faults *faults, const char *name, char *bytes, size_t length, uint64_t offset);

void faults_hang(struct faults *faults, uint64_t ns);
void faults_release(struct faults *faults); // those that hang now
void faults_end(struct faults *faults);     // and whatever would from now on
void faults_clear(struct faults *faults);   // no fault is set any more, nothing hangs
int faults_hung(struct faults *faults);
void faults_show(struct faults *faults, struct text *answer); // a line for each: TYPE=WORDS seen N hit N

void faults_print(void); // for --help
