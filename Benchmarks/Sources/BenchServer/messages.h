// SPDX-License-Identifier: Apache-2.0
//
// The messages of the WebSocket benchmarks: JSON text, with characters that are not ASCII, the same in every run.

#ifndef BENCH_MESSAGES_H
#define BENCH_MESSAGES_H

#include <stdbool.h>

#include "content.h"

// Whether there are messages of `bytes` bytes.
bool messages_exist(size_t bytes);

// Messages of `bytes` bytes each, one after the other: 1 MiB of them, or one. There are so many that, when they are
// compressed, no repetition of a message is within the window, and no processor can predict their sequence. Created by
// the first call.
block_t messages(size_t bytes);

#endif
