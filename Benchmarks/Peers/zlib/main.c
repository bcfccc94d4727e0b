// SPDX-License-Identifier: Apache-2.0
//
// Measures only zlib, with the same work as permessage-deflate: level 6, context takeover, a flush after each message.

#define _POSIX_C_SOURCE 199309L
#include <zlib.h>

#include "../measure.h"

enum { empty_block = 4 };  // the end of a flush, which permessage-deflate leaves out (RFC 7692 §7.2.1)

static const unsigned char flush_end[empty_block] = {0x00, 0x00, 0xFF, 0xFF};

typedef struct {
    unsigned char *bytes;
    size_t count;
} compressed_t;

static size_t compress_message(z_stream *stream, const char *message, size_t count, unsigned char *to, size_t room) {
    stream->next_in = (Bytef *)message;
    stream->avail_in = (uInt)count;
    stream->next_out = to;
    stream->avail_out = (uInt)room;
    deflate(stream, Z_SYNC_FLUSH);
    return room - stream->avail_out - empty_block;
}

static size_t expand_message(z_stream *stream, compressed_t message, unsigned char *to, size_t room) {
    stream->next_out = to;
    stream->avail_out = (uInt)room;
    stream->next_in = message.bytes;
    stream->avail_in = (uInt)message.count;
    inflate(stream, Z_SYNC_FLUSH);
    stream->next_in = (Bytef *)flush_end;
    stream->avail_in = empty_block;
    inflate(stream, Z_SYNC_FLUSH);
    return room - stream->avail_out;
}

int main(int argument_count, char **words) {
    arguments_t arguments = read_arguments(argument_count, words);
    size_t total, size = arguments.bytes;
    char *messages = read_file(arguments.file, &total);
    size_t cycle = total / size;
    z_stream deflater = {0}, inflater = {0};
    deflateInit2(&deflater, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    inflateInit2(&inflater, -MAX_WBITS);
    size_t room = deflateBound(&deflater, size) + 64, bytes = 0;
    unsigned char *scratch = malloc(room);
    compressed_t *compressed = calloc(2 * cycle, sizeof *compressed);
    if (scratch == NULL || compressed == NULL || cycle == 0) {
        fail("no messages");
    }
    measurement_t start;
    if (strcmp(arguments.benchmark, "ws-send") == 0) {
        start = start_measurement();
        for (size_t i = 0; i < arguments.count; i++) {
            compress_message(&deflater, messages + i % cycle * size, size, scratch, room);
            bytes += size;
        }
    } else {
        // Every compression after the first one gives the same bytes.
        for (size_t i = 0; i < 2 * cycle; i++) {
            size_t count = compress_message(&deflater, messages + i % cycle * size, size, scratch, room);
            compressed[i] = (compressed_t){malloc(count), count};
            memcpy(compressed[i].bytes, scratch, count);
        }
        start = start_measurement();
        for (size_t i = 0; i < arguments.count; i++) {
            bytes += expand_message(&inflater, compressed[i < cycle ? i : cycle + i % cycle], scratch, room);
        }
    }
    if (bytes != arguments.count * size) {
        fail("not the messages that were expected");
    }
    end_measurement(start, "zlib", arguments, bytes, 0);
}
