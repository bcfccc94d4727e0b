// SPDX-License-Identifier: Apache-2.0
//
// One field of a request's head.

#ifndef BENCH_FIELD_H
#define BENCH_FIELD_H

#include <stdbool.h>
#include <string.h>
#include <strings.h>

// Returns whether a field's name or value is `expected`, ignoring case.
static inline bool field_is(const char *text, size_t count, const char *expected) {
    return count == strlen(expected) && strncasecmp(text, expected, count) == 0;
}

#endif
