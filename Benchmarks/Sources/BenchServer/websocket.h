// SPDX-License-Identifier: Apache-2.0
//
// One WebSocket: frames in, frames out, never blocking. Lenient, because its peers are measured, not tested.

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
    bool deflates_alone;   // wants each message compressed without the context of those before it
} websocket_offer_t;

// Notes one field of the request's head.
void websocket_read_field(
    websocket_offer_t *offer, const char *line, size_t name, const char *value, size_t count);

// Accepts the offer for the resource at `path`; NULL without such a resource.
websocket_t *websocket_create(int descriptor, const char *path, const websocket_offer_t *offer);
void websocket_destroy(websocket_t *websocket);

// Reads, answers and writes as much as the socket allows; false once the connection is to be destroyed.
// `peer_closed`: no bytes follow those that can be read now.
bool websocket_advance(websocket_t *websocket, bool peer_closed);

#endif
