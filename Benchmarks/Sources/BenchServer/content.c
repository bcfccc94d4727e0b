// SPDX-License-Identifier: Apache-2.0

#include "content.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    small_count = 1024,
    bytes_count = 4 << 20,
    line_count = 10000,
    line_average = 100,
    line_spread = 40,
    event_count = 10000,
};

block_t content_small;
block_t content_bytes;
block_t content_ndjson;
block_t content_events;

// Returns a pseudorandom number (xorshift), so that the content is the same in every run.
static uint32_t noise(void) {
    static uint32_t state = 0x7e121e5d;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

char *content_allocate(size_t count) {
    char *bytes = malloc(count);
    if (bytes == NULL) {
        perror("malloc");
        exit(1);
    }
    return bytes;
}

static void fill(char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        bytes[i] = (char)('a' + noise() % 26);
    }
}

// Writes `head`, then padding, then `tail`, exactly `count` bytes in all.
static void pad(char *bytes, size_t count, const char *head, const char *tail) {
    size_t head_count = strlen(head), tail_count = strlen(tail);
    memcpy(bytes, head, head_count);
    fill(bytes + head_count, count - head_count - tail_count);
    memcpy(bytes + count - tail_count, tail, tail_count);
}

static void prepare_small(void) {
    char *bytes = content_allocate(small_count);
    const char *head =
        "{\"id\":4711,\"owner\":{\"id\":42,\"name\":\"Sterna paradisaea\"},\"title\":\"Arctic tern\","
        "\"favourites\":1289,\"tags\":[\"bird\",\"sea\",\"north\"],\"location\":[54.18,7.88],\"caption\":\"";
    pad(bytes, small_count, head, "\"}");
    content_small = (block_t){bytes, small_count};
}

static void prepare_bytes(void) {
    char *bytes = content_allocate(bytes_count);
    fill(bytes, bytes_count);
    content_bytes = (block_t){bytes, bytes_count};
}

// Lines come in pairs: one is longer than the average, and the other is shorter by the same amount.
static void prepare_ndjson(void) {
    size_t count = (size_t)line_count * line_average;
    char *bytes = content_allocate(count), *next = bytes;
    int deviation = 0;
    for (int line = 0; line < line_count; line++) {
        deviation = line % 2 == 0 ? (int)(noise() % (line_spread + 1)) : -deviation;
        char head[64];
        snprintf(head, sizeof head, "{\"photo\":%d,\"favourites\":%u,\"by\":\"", line, noise() % 1000);
        pad(next, (size_t)(line_average + deviation), head, "\"}\n");
        next += line_average + deviation;
    }
    content_ndjson = (block_t){bytes, count};
}

static void prepare_events(void) {
    size_t count = (size_t)event_count * content_event_count;
    char *bytes = content_allocate(count);
    for (int event = 0; event < event_count; event++) {
        char head[64];
        snprintf(head, sizeof head, "data: {\"photo\":%d,\"favourites\":%u,\"by\":\"", event, noise() % 1000);
        pad(bytes + event * content_event_count, content_event_count, head, "\"}\n\n");
    }
    content_events = (block_t){bytes, count};
}

void content_prepare(void) {
    prepare_small();
    prepare_bytes();
    prepare_ndjson();
    prepare_events();
}
