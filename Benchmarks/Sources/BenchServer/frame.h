// SPDX-License-Identifier: Apache-2.0
//
// Frames of a WebSocket: with a mask as a client sends them, without as a server does (RFC 6455 §5.2).

#ifndef BENCH_FRAME_H
#define BENCH_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    frame_head_longest = 14,
    frame_control_longest = frame_head_longest + 125,
    frame_compressed = 0x40,
    frame_text = 0x81,  // with FIN, as all of these
    frame_close = 0x88,
    frame_ping = 0x89,
    frame_pong = 0x8A,
};

typedef struct {
    unsigned char first;  // FIN, RSV and opcode
    uint64_t count;       // of the payload
    unsigned char mask[4];
    size_t head;          // length of the head
} frame_t;

// Reads a head; false if it is longer than `count`.
bool frame_read(frame_t *frame, const unsigned char *bytes, size_t count);

// Whether the head is one of a control frame.
static inline bool frame_is_control(const frame_t *frame) { return (frame->first & 0x08) != 0; }

// Writes the head of a frame without a mask; returns its length, which is 4 less than that of a client's.
size_t frame_write(unsigned char *bytes, unsigned char first, uint64_t count);

// Unmasks `count` bytes that begin `offset` bytes into a payload. `to` may be lower than `from` and overlap it.
void frame_unmask(
    unsigned char *to, const unsigned char *from, size_t count, const unsigned char mask[4], uint64_t offset);

#endif
