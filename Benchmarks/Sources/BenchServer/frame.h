// SPDX-License-Identifier: Apache-2.0
//
// Frames of a WebSocket: frames of a client have a mask, frames of a server do not (RFC 6455 §5.2).

#ifndef BENCH_FRAME_H
#define BENCH_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    frame_head_longest = 14,
    frame_control_longest = frame_head_longest + 125,
    frame_compressed = 0x40,
    frame_text = 0x81,  // includes the bit FIN, like all of these
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

// Reads a frame's head; returns false if the head is longer than `count`.
bool frame_read(frame_t *frame, const unsigned char *bytes, size_t count);

// Returns whether the frame is a control frame.
static inline bool frame_is_control(const frame_t *frame) { return (frame->first & 0x08) != 0; }

// Writes the head of a frame without a mask, and returns its length. The head of a client's frame has 4 bytes more.
size_t frame_write(unsigned char *bytes, unsigned char first, uint64_t count);

// Unmasks `count` bytes at `offset` of a payload. `to` may be at a lower address than `from`, and overlap it.
void frame_unmask(
    unsigned char *to, const unsigned char *from, size_t count, const unsigned char mask[4], uint64_t offset);

#endif
