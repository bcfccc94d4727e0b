// SPDX-License-Identifier: Apache-2.0

#include "sha1.h"

#include <stdint.h>
#include <string.h>

enum { block_count = 64, length_count = 8 };

static uint32_t rotate(uint32_t word, int bits) { return word << bits | word >> (32 - bits); }

static void add_block(uint32_t state[5], const unsigned char *block) {
    uint32_t words[80];
    for (int i = 0; i < 16; i++) {
        const unsigned char *b = block + 4 * i;
        words[i] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    }
    for (int i = 16; i < 80; i++) {
        words[i] = rotate(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (int i = 0; i < 80; i++) {
        uint32_t mixed = i < 20   ? ((b & c) | (~b & d)) + 0x5A827999
                         : i < 40 ? (b ^ c ^ d) + 0x6ED9EBA1
                         : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8F1BBCDC
                                  : (b ^ c ^ d) + 0xCA62C1D6;
        uint32_t next = rotate(a, 5) + mixed + e + words[i];
        e = d, d = c, c = rotate(b, 30), b = a, a = next;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d, state[4] += e;
}

void sha1(const unsigned char *bytes, size_t count, unsigned char digest[sha1_count]) {
    uint32_t state[] = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
    size_t rest = count;
    for (; rest >= block_count; rest -= block_count, bytes += block_count) {
        add_block(state, bytes);
    }
    unsigned char last[2 * block_count] = {0};
    memcpy(last, bytes, rest);
    last[rest] = 0x80;
    size_t last_count = rest + 1 + length_count <= block_count ? block_count : 2 * block_count;
    for (int i = 0; i < length_count; i++) {
        last[last_count - 1 - (size_t)i] = (unsigned char)((uint64_t)count * 8 >> (8 * i));
    }
    for (size_t i = 0; i < last_count; i += block_count) {
        add_block(state, last + i);
    }
    for (int i = 0; i < sha1_count; i++) {
        digest[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
    }
}
