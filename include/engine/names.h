// names.h: what the engine calls the things that it makes in a scratch directory.
//
// A batch of small files has a tree of its own, "t000" and on; a batch of a sequential write has one file a
// thread, "s000-00" and on (batch, thread), and so has one of commit; large files that are read, or written
// over, lie there once a thread. What lies in a tree is named by spec/tree.h. Names are made
// without stdio, since workers make them while the clock runs.
#pragma once

enum { NAME_SIZE = 16, NAME_PATH_SIZE = 64 };

void name_tree(unsigned batch, char out[NAME_SIZE]);
void name_sequential(unsigned batch, unsigned thread, char out[NAME_SIZE]);
void name_large(unsigned thread, char out[NAME_SIZE]); // "l00": a large file that is read, or written over
void name_log(unsigned batch, unsigned thread, char out[NAME_SIZE]); // "c000-00": of commit
