// SPDX-License-Identifier: Apache-2.0
//
// One WebSocket, which reads and writes frames, and never blocks. It is lenient: benchmarks measure its peers.

#ifndef BENCH_WEBSOCKET_H
#define BENCH_WEBSOCKET_H

#include <stdbool.h>
#include <stddef.h>

typedef struct websocket websocket_t;

// The fields of a WebSocket handshake request.
typedef struct {
    bool upgrades;
    char key[32];
    bool deflates;         // offers permessage-deflate
    bool deflates_alone;   // asks for each message to be compressed without the context of earlier messages
} websocket_offer_t;

// Reads one field of the request's head into the offer.
void websocket_read_field(
    websocket_offer_t *offer, const char *line, size_t name, const char *value, size_t count);

// Accepts the offer for the resource at `path`; returns NULL if there is no such resource.
websocket_t *websocket_create(int descriptor, const char *path, const websocket_offer_t *offer);
void websocket_destroy(websocket_t *websocket);

// Reads, answers and writes as much as the socket allows; returns false if the caller must destroy the connection.
// `peer_closed`: no bytes follow the bytes that can be read now.
bool websocket_advance(websocket_t *websocket, bool peer_closed);

#endif
