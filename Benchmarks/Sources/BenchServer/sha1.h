// SPDX-License-Identifier: Apache-2.0
//
// SHA-1 (RFC 3174), which the opening handshake of a WebSocket needs.

#ifndef BENCH_SHA1_H
#define BENCH_SHA1_H

#include <stddef.h>

enum { sha1_count = 20 };

void sha1(const unsigned char *bytes, size_t count, unsigned char digest[sha1_count]);

#endif
