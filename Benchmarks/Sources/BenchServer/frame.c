// SPDX-License-Identifier: Apache-2.0

#include "frame.h"

#include <string.h>

// Returns the number of bytes of the extended payload length, which the second byte announces (RFC 6455 §5.2).
static size_t length_bytes(unsigned char announced) { return announced < 126 ? 0 : announced == 126 ? 2 : 8; }

bool frame_read(frame_t *frame, const unsigned char *bytes, size_t count) {
    if (count < 2) {
        return false;
    }
    size_t extended = length_bytes(bytes[1] & 0x7F);
    frame->head = 2 + extended + sizeof frame->mask;
    if (count < frame->head) {
        return false;
    }
    frame->first = bytes[0];
    frame->count = extended == 0 ? bytes[1] & 0x7F : 0;
    for (size_t i = 0; i < extended; i++) {
        frame->count = frame->count << 8 | bytes[2 + i];
    }
    memcpy(frame->mask, bytes + 2 + extended, sizeof frame->mask);
    return true;
}

size_t frame_write(unsigned char *bytes, unsigned char first, uint64_t count) {
    bytes[0] = first;
    bytes[1] = count < 126 ? (unsigned char)count : count <= UINT16_MAX ? 126 : 127;
    size_t extended = length_bytes(bytes[1]);
    for (size_t i = 0; i < extended; i++) {
        bytes[2 + i] = (unsigned char)(count >> (8 * (extended - 1 - i)));
    }
    return 2 + extended;
}

void frame_unmask(
    unsigned char *to, const unsigned char *from, size_t count, const unsigned char mask[4], uint64_t offset) {
    unsigned char rotated[8];
    for (int i = 0; i < 8; i++) {
        rotated[i] = mask[(offset + (uint64_t)i) & 3];
    }
    uint64_t key, word;
    memcpy(&key, rotated, sizeof key);
    size_t i = 0;
    for (; i + sizeof word <= count; i += sizeof word) {
        memcpy(&word, from + i, sizeof word);
        word ^= key;
        memcpy(to + i, &word, sizeof word);
    }
    for (; i < count; i++) {
        to[i] = from[i] ^ rotated[i & 7];
    }
}
