// SPDX-License-Identifier: Apache-2.0
//
// The messages of the WebSocket benchmarks: JSON text, with characters that are not ASCII, the same in every run.

#ifndef BENCH_MESSAGES_H
#define BENCH_MESSAGES_H

#include <stdbool.h>

#include "content.h"

// Returns whether messages can have `bytes` bytes.
bool messages_exist(size_t bytes);

// Returns messages of `bytes` bytes each, one after the other. Together, they have about 1 MiB, or there is only one
// message. There are so many messages that, if they are compressed, a message never repeats within the window, and no
// processor can predict their sequence. The first call creates them.
block_t messages(size_t bytes);

#endif
