// SPDX-License-Identifier: Apache-2.0
//
// The frames that `/ws/flood` sends, created before the first request.

#ifndef BENCH_FLOOD_H
#define BENCH_FLOOD_H

#include "content.h"

typedef enum {
    flood_plain,
    flood_compressed,        // permessage-deflate, level 6, context takeover
    flood_compressed_alone,  // each message without the context of earlier messages
} flood_encoding_t;

// Frames to send once completely, and then again and again from `loop` on. For a receiver with a window of 32 KiB, the
// bytes before `loop` are equal to the bytes before the end.
typedef struct {
    size_t message_bytes;
    flood_encoding_t encoding;
    char *bytes;
    size_t count, loop;
    size_t *ends;  // the offset at which each frame ends
    size_t frames, loop_frame;
} flood_t;

// Returns the frames that contain `messages(message_bytes)`; the first call creates them.
const flood_t *flood(size_t message_bytes, flood_encoding_t encoding);

// Returns the number of bytes of the first `messages` frames that are sent.
size_t flood_length(const flood_t *flood, size_t messages);

#endif
