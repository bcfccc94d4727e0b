// SPDX-License-Identifier: Apache-2.0

#ifndef BENCH_PROGRESS_H
#define BENCH_PROGRESS_H

// How far reading or writing came: on, to where the socket would block, to the end of the connection.
typedef enum { advanced, blocked, ended } progress_t;

#endif
