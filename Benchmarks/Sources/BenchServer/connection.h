// SPDX-License-Identifier: Apache-2.0
//
// One HTTP/1.1 connection, which reads bytes and writes responses, and never blocks.

#ifndef BENCH_CONNECTION_H
#define BENCH_CONNECTION_H

#include <stdbool.h>

typedef struct connection connection_t;

connection_t *connection_create(int descriptor);
void connection_destroy(connection_t *connection);

// Reads, answers and writes as much as the socket allows; returns false if the caller must destroy the connection.
// `peer_closed`: no bytes follow the bytes that can be read now.
bool connection_advance(connection_t *connection, bool peer_closed);

#endif
