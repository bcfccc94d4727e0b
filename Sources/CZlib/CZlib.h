// SPDX-License-Identifier: Apache-2.0

#ifndef TERN_CZLIB_H
#define TERN_CZLIB_H

#include <zlib.h>

// deflateInit2 and inflateInit2 are macros, which Swift does not see.

static inline int CZlib_deflateInit2(
    z_streamp stream, int level, int windowBits, int memoryLevel, int strategy)
{
    return deflateInit2(stream, level, Z_DEFLATED, windowBits, memoryLevel, strategy);
}

static inline int CZlib_inflateInit2(z_streamp stream, int windowBits)
{
    return inflateInit2(stream, windowBits);
}

#endif
