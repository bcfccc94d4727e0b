// SPDX-License-Identifier: Apache-2.0

#ifndef BENCH_GZIP_H
#define BENCH_GZIP_H

#include "content.h"

// Returns the first `count` bytes of repetitions of `block`, compressed. The result is valid until the next call, and
// is kept for calls with the same count, because compressing takes much longer than sending.
block_t gzip(block_t block, size_t count);

#endif
