// SPDX-License-Identifier: Apache-2.0

#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

// The result of reading or writing: continue, the socket would block, or the connection has ended.
typedef enum { advanced, blocked, ended } progress_t;

#endif
