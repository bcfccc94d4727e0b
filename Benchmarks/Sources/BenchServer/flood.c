// SPDX-License-Identifier: Apache-2.0

#include "flood.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "frame.h"
#include "messages.h"

enum {
    floods_kept = 16,
    level = 6,
    empty_block = 4,  // the end of a flush, which permessage-deflate leaves out (RFC 7692 §7.2.1)
};

// Compresses `message` to `to`; returns the number of bytes written.
static size_t compress_message(
    z_stream *stream, bool alone, const char *message, size_t count, char *to, size_t room) {
    if (alone) {
        deflateReset(stream);
    }
    stream->next_in = (Bytef *)message;
    stream->avail_in = (uInt)count;
    stream->next_out = (Bytef *)to;
    stream->avail_out = (uInt)room;
    deflate(stream, Z_SYNC_FLUSH);
    return room - stream->avail_out - empty_block;
}

static void append_frame(flood_t *flood, const char *payload, size_t count) {
    flood->bytes = realloc(flood->bytes, flood->count + frame_head_longest + count);
    flood->ends = realloc(flood->ends, (flood->frames + 1) * sizeof *flood->ends);
    if (flood->bytes == NULL || flood->ends == NULL) {
        perror("realloc");
        exit(1);
    }
    unsigned char first = flood->encoding == flood_plain ? frame_text : frame_text | frame_compressed;
    flood->count += frame_write((unsigned char *)flood->bytes + flood->count, first, count);
    memcpy(flood->bytes + flood->count, payload, count);
    flood->count += count;
    flood->ends[flood->frames++] = flood->count;
}

// Writes all messages once, or twice if compressed, because every compression after the first gives the same bytes.
static void make(flood_t *flood) {
    block_t block = messages(flood->message_bytes);
    z_stream stream = {0};
    deflateInit2(&stream, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    size_t room = deflateBound(&stream, flood->message_bytes) + 64;
    char *scratch = content_allocate(room);
    for (int times = flood->encoding == flood_compressed ? 2 : 1; times > 0; times--) {
        flood->loop = flood->count;
        flood->loop_frame = flood->frames;
        for (size_t at = 0; at < block.count; at += flood->message_bytes) {
            const char *payload = block.bytes + at;
            size_t count = flood->message_bytes;
            if (flood->encoding != flood_plain) {
                bool alone = flood->encoding == flood_compressed_alone;
                count = compress_message(&stream, alone, payload, count, scratch, room);
                payload = scratch;
            }
            append_frame(flood, payload, count);
        }
    }
    free(scratch);
    deflateEnd(&stream);
}

const flood_t *flood(size_t message_bytes, flood_encoding_t encoding) {
    static flood_t *known[floods_kept];
    size_t slot = 0;
    while (slot < floods_kept - 1 && known[slot] != NULL &&
           (known[slot]->message_bytes != message_bytes || known[slot]->encoding != encoding)) {
        slot++;
    }
    if (known[slot] == NULL || known[slot]->message_bytes != message_bytes || known[slot]->encoding != encoding) {
        flood_t *made = (flood_t *)content_allocate(sizeof *made);
        *made = (flood_t){.message_bytes = message_bytes, .encoding = encoding};
        make(made);
        known[slot] = made;  // not freed: a connection may still use the previous flood
    }
    return known[slot];
}

// Returns the offset at which a frame begins.
static size_t frame_start(const flood_t *flood, size_t frame) { return frame == 0 ? 0 : flood->ends[frame - 1]; }

size_t flood_length(const flood_t *flood, size_t messages) {
    if (messages <= flood->frames) {
        return frame_start(flood, messages);
    }
    size_t rest = messages - flood->frames, loop_frames = flood->frames - flood->loop_frame;
    size_t part = frame_start(flood, flood->loop_frame + rest % loop_frames) - flood->loop;
    return flood->count + rest / loop_frames * (flood->count - flood->loop) + part;
}
