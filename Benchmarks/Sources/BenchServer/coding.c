// SPDX-License-Identifier: Apache-2.0

#include "coding.h"

#include <brotli/encode.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum {
    gzip_window = MAX_WBITS + 16,  // 16: with the header and the trailer of gzip
    other_window = 18,             // shorter than the block, so that its repetitions are compressed like new content
    brotli_quality = 5,
    zstd_level = 3,
};

static void *create_gzip(void) {
    z_stream *stream = calloc(1, sizeof *stream);
    deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY);
    return stream;
}

static void compress_gzip(void *state, block_t in, bool is_last, char **out, size_t *room) {
    z_stream *stream = state;
    stream->next_in = (Bytef *)in.bytes;
    stream->avail_in = (uInt)in.count;
    stream->next_out = (Bytef *)*out;
    stream->avail_out = (uInt)*room;
    deflate(stream, is_last ? Z_FINISH : Z_NO_FLUSH);
    *out = (char *)stream->next_out;
    *room = stream->avail_out;
}

static void destroy_gzip(void *state) {
    deflateEnd(state);
    free(state);
}

static void *create_brotli(void) {
    BrotliEncoderState *encoder = BrotliEncoderCreateInstance(NULL, NULL, NULL);
    BrotliEncoderSetParameter(encoder, BROTLI_PARAM_QUALITY, brotli_quality);
    BrotliEncoderSetParameter(encoder, BROTLI_PARAM_LGWIN, other_window);
    return encoder;
}

static void compress_brotli(void *state, block_t in, bool is_last, char **out, size_t *room) {
    const uint8_t *next = (const uint8_t *)in.bytes;
    size_t rest = in.count;
    BrotliEncoderOperation operation = is_last ? BROTLI_OPERATION_FINISH : BROTLI_OPERATION_PROCESS;
    do {
        BrotliEncoderCompressStream(state, operation, &rest, &next, room, (uint8_t **)out, NULL);
    } while (rest > 0 || BrotliEncoderHasMoreOutput(state) || (is_last && !BrotliEncoderIsFinished(state)));
}

static void destroy_brotli(void *state) { BrotliEncoderDestroyInstance(state); }

static void *create_zstd(void) {
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, zstd_level);
    ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, other_window);
    return context;
}

static void compress_zstd(void *state, block_t in, bool is_last, char **out, size_t *room) {
    ZSTD_inBuffer from = {in.bytes, in.count, 0};
    ZSTD_outBuffer to = {*out, *room, 0};
    size_t rest;
    do {
        rest = ZSTD_compressStream2(state, &to, &from, is_last ? ZSTD_e_end : ZSTD_e_continue);
    } while (from.pos < from.size || (is_last && rest > 0));
    *out += to.pos;
    *room -= to.pos;
}

static void destroy_zstd(void *state) { ZSTD_freeCCtx(state); }

static const coding_t codings[] = {
    {"/gzip/", "gzip", create_gzip, compress_gzip, destroy_gzip},
    {"/brotli/", "br", create_brotli, compress_brotli, destroy_brotli},
    {"/zstd/", "zstd", create_zstd, compress_zstd, destroy_zstd},
};

const coding_t *coding_of(const char *path) {
    for (size_t i = 0; i < sizeof codings / sizeof *codings; i++) {
        if (strncmp(path, codings[i].path, strlen(codings[i].path)) == 0) {
            return &codings[i];
        }
    }
    return NULL;
}

block_t encoded(const coding_t *coding, block_t block, size_t count) {
    static block_t kept;
    static size_t kept_for;
    static const coding_t *kept_in;
    if (kept.bytes != NULL && kept_for == count && kept_in == coding) {
        return kept;
    }
    free((char *)kept.bytes);
    size_t room = count + count / 8 + 1024, all = room;
    char *bytes = content_allocate(room), *next = bytes;
    void *state = coding->create();
    for (size_t rest = count; rest > 0;) {
        size_t part = rest < block.count ? rest : block.count;
        rest -= part;
        coding->compress(state, (block_t){block.bytes, part}, rest == 0, &next, &room);
    }
    coding->destroy(state);
    kept = (block_t){bytes, all - room};
    kept_for = count;
    kept_in = coding;
    return kept;
}
