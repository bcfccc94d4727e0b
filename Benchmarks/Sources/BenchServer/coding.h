// SPDX-License-Identifier: Apache-2.0

#ifndef BENCH_CODING_H
#define BENCH_CODING_H

#include <stdbool.h>

#include "content.h"

typedef struct coding coding_t;

// A content coding.
struct coding {
    const char *path;   // of its resources, with a slash on both sides
    const char *token;  // as in `Content-Encoding`
    void *(*create)(void);
    // Compresses `in` and appends the output; `out` has room for all of it.
    void (*compress)(void *state, block_t in, bool is_last, char **out, size_t *room);
    void (*destroy)(void *state);
};

// Returns the coding whose path the text begins with; NULL if there is none.
const coding_t *coding_of(const char *path);

// Returns the first `count` bytes of repetitions of `block`, compressed. The result is valid until the next call, and
// is kept for calls with the same arguments, because compressing takes much longer than sending.
block_t encoded(const coding_t *coding, block_t block, size_t count);

#endif
