// SPDX-License-Identifier: Apache-2.0

#include "messages.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    messages_smallest = 64,
    messages_largest = 16 << 20,
    messages_total = 1 << 20,
    sizes_kept = 16,
    note_longest = 200,
};

static const char *const names[] = {
    "Küstenseeschwalbe", "Arctic tern",   "Rødnebbterne", "Silvertärna", "Sterna hirundo", "Charrán ártico",
    "Little tern",       "Sterne naine",  "Gull-billed",  "Hverfugl",    "キョクアジサシ",       "Sandwich tern",
};
static const char *const words[] = {
    "north", "sea",  "colony", "chick", "returned", "from", "the",   "south", "after",  "winter", "ringed", "at",
    "dawn",  "with", "a",      "fish",  "seen",     "over", "water", "flock", "nested", "on",     "gravel", "île",
};

// Returns a pseudorandom number (xorshift).
static uint32_t noise(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static char *copy(char *to, const char *text) {
    size_t count = strlen(text);
    memcpy(to, text, count);
    return to + count;
}

// Writes `count` bytes of words.
static char *write_note(char *to, size_t count, uint32_t *state) {
    char *end = to + count;
    for (;;) {
        const char *word = words[noise(state) % (sizeof words / sizeof *words)];
        if (strlen(word) + 1 > (size_t)(end - to)) {
            break;
        }
        to = copy(copy(to, word), " ");
    }
    memset(to, '.', (size_t)(end - to));
    return end;
}

static char *write_head(char *to, uint32_t *state) {
    to += sprintf(to, "{\"id\":%u,\"by\":\"", 100000 + noise(state) % 900000);
    return copy(copy(to, names[noise(state) % (sizeof names / sizeof *names)]), "\",\"note\":\"");
}

// Writes one message of `count` bytes: a JSON array of records.
static void write_message(char *to, size_t count, uint32_t *state) {
    char *end = to + count;
    to = copy(to, "[");
    while (end - to > 2 * note_longest + 100) {
        to = write_note(write_head(to, state), noise(state) % note_longest, state);
        to += sprintf(to, "\",\"likes\":%u,\"at\":[%u.%04u,%u.%04u]},", noise(state) % 2000, noise(state) % 90,
                      noise(state) % 10000, noise(state) % 180, noise(state) % 10000);
    }
    to = write_head(to, state);
    copy(write_note(to, (size_t)(end - to) - strlen("\"}]"), state), "\"}]");
}

bool messages_exist(size_t bytes) { return bytes >= messages_smallest && bytes <= messages_largest; }

block_t messages(size_t bytes) {
    static struct { size_t bytes; block_t block; } known[sizes_kept];
    size_t slot = 0;
    while (slot < sizes_kept - 1 && known[slot].bytes != 0 && known[slot].bytes != bytes) {
        slot++;
    }
    if (known[slot].bytes != bytes) {
        size_t number = bytes < messages_total ? messages_total / bytes : 1;
        char *text = content_allocate(number * bytes + 1);
        uint32_t state = 0x7e121e5d;
        for (size_t i = 0; i < number; i++) {
            write_message(text + i * bytes, bytes, &state);
        }
        known[slot].bytes = bytes;
        known[slot].block = (block_t){text, number * bytes};
    }
    return known[slot].block;
}
