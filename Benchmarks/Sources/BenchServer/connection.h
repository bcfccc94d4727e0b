// SPDX-License-Identifier: Apache-2.0
//
// One HTTP/1.1 connection: bytes in, responses out, never blocking.

#ifndef BENCH_CONNECTION_H
#define BENCH_CONNECTION_H

#include <stdbool.h>

typedef struct connection connection_t;

connection_t *connection_create(int descriptor);
void connection_destroy(connection_t *connection);

// Reads, answers and writes as much as the socket allows; false once the connection is to be destroyed.
// `peer_closed`: no bytes follow those that can be read now.
bool connection_advance(connection_t *connection, bool peer_closed);

#endif
