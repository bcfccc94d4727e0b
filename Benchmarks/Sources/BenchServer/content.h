// SPDX-License-Identifier: Apache-2.0
//
// The content that the server serves, created once before the first connection.

#ifndef BENCH_CONTENT_H
#define BENCH_CONTENT_H

#include <stddef.h>

// A body consists of repetitions of a block, cut off at the length of the body.
typedef struct {
    const char *bytes;
    size_t count;
} block_t;

extern block_t content_small;   // 1 KiB of JSON
extern block_t content_bytes;   // 4 MiB of printable noise
extern block_t content_ndjson;  // 1 000 000 bytes: 10 000 lines of JSON, 100 bytes each on average
extern block_t content_events;  // 10 000 server-sent events, each with 100 bytes of JSON as its data

// The length of each of these events: its data, `data: ` and two line feeds.
enum { content_event_count = 108 };

void content_prepare(void);

// Like `malloc`, but ends the process if there is no memory.
char *content_allocate(size_t count);

#endif
