// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "websocket.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "field.h"
#include "flood.h"
#include "frame.h"
#include "messages.h"
#include "progress.h"
#include "sha1.h"

enum { read_capacity = 512 << 10 };

typedef enum { echo, sink, flooding } resource_t;

struct websocket {
    int descriptor;
    resource_t resource;
    bool closes;   // once everything is written
    bool drained;  // the last read returned less than it could: nothing is left to read for now

    frame_t frame;       // the data frame whose payload is being received
    uint64_t remaining;  // of that payload
    unsigned char carried[frame_control_longest];  // the start of a head or of a control frame
    size_t carried_count;

    unsigned char *pending;  // output that the socket has not accepted yet
    size_t pending_start, pending_end;

    const flood_t *flood;  // follows `pending`
    size_t flood_offset, flood_remaining, flood_count;
};

// MARK: Opening

static bool contains(const char *value, size_t count, const char *text) {
    return memmem(value, count, text, strlen(text)) != NULL;
}

void websocket_read_field(
    websocket_offer_t *offer, const char *line, size_t name, const char *value, size_t count) {
    if (field_is(line, name, "Upgrade") && field_is(value, count, "websocket")) {
        offer->upgrades = true;
    } else if (field_is(line, name, "Sec-WebSocket-Key") && count < sizeof offer->key) {
        memcpy(offer->key, value, count);
    } else if (field_is(line, name, "Sec-WebSocket-Extensions")) {
        offer->deflates = contains(value, count, "permessage-deflate");
        offer->deflates_alone = contains(value, count, "server_no_context_takeover");
    }
}

// Writes the Base64 text of a digest and the NUL after it.
static void encode(const unsigned char digest[sha1_count], char *text) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char padded[sha1_count + 1] = {0};
    memcpy(padded, digest, sha1_count);
    for (size_t i = 0; i < sizeof padded; i += 3) {
        unsigned bits = (unsigned)padded[i] << 16 | (unsigned)padded[i + 1] << 8 | padded[i + 2];
        for (int shift = 18; shift >= 0; shift -= 6) {
            *text++ = digits[bits >> shift & 63];
        }
    }
    memcpy(text - 1, "=", 2);
}

static size_t query(const char *path, const char *name) {
    const char *found = strstr(path, name);
    return found != NULL ? strtoull(found + strlen(name), NULL, 10) : 0;
}

static void append(websocket_t *w, const void *bytes, size_t count) {
    if (count == 0) {
        return;
    }
    w->pending = realloc(w->pending, w->pending_end + count);
    if (w->pending == NULL) {
        perror("realloc");
        exit(1);
    }
    memcpy(w->pending + w->pending_end, bytes, count);
    w->pending_end += count;
}

// Answers the request; the extension is `permessage-deflate` with its parameters, or nothing.
static void append_answer(websocket_t *w, const websocket_offer_t *offer, flood_encoding_t encoding) {
    static const char *const extensions[] = {
        [flood_plain] = "",
        [flood_compressed] = "Sec-WebSocket-Extensions: permessage-deflate\r\n",
        [flood_compressed_alone] = "Sec-WebSocket-Extensions: permessage-deflate; server_no_context_takeover; "
                                   "client_no_context_takeover\r\n",
    };
    unsigned char digest[sha1_count];
    char keyed[128], accept[32], head[512];
    int count = snprintf(keyed, sizeof keyed, "%s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", offer->key);
    sha1((unsigned char *)keyed, (size_t)count, digest);
    encode(digest, accept);
    count = snprintf(
        head, sizeof head,
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Accept: %s\r\n%s\r\n",
        accept, extensions[encoding]);
    append(w, head, (size_t)count);
}

websocket_t *websocket_create(int descriptor, const char *path, const websocket_offer_t *offer) {
    bool echoes = strncmp(path, "/ws/echo", 8) == 0, floods = strncmp(path, "/ws/flood?", 10) == 0;
    size_t bytes = query(path, "bytes=");
    websocket_t *w = NULL;
    if (echoes || strncmp(path, "/ws/sink", 8) == 0 || (floods && messages_exist(bytes))) {
        w = calloc(1, sizeof *w);
    }
    if (w == NULL) {
        return NULL;
    }
    w->descriptor = descriptor;
    w->resource = echoes ? echo : floods ? flooding : sink;
    flood_encoding_t encoding = flood_plain;
    if (offer->deflates && query(path, "deflate=") != 0) {
        encoding = offer->deflates_alone ? flood_compressed_alone : flood_compressed;
    }
    if (floods) {
        w->flood = flood(bytes, encoding);
        w->flood_count = query(path, "count=");
    }
    append_answer(w, offer, encoding);
    return w;
}

void websocket_destroy(websocket_t *w) {
    if (w != NULL) {
        free(w->pending);
        free(w);
    }
}

// MARK: Writing

// Stores the number of bytes that a write with this `result` has written; returns whether to write again.
static progress_t note(ssize_t result, size_t *written) {
    *written = result > 0 ? (size_t)result : 0;
    return result >= 0 ? advanced : errno == EAGAIN ? blocked : ended;
}

static progress_t write_flood(websocket_t *w) {
    progress_t progress = advanced;
    while (w->flood_remaining > 0 && progress == advanced) {
        size_t count = w->flood->count - w->flood_offset, written;
        count = count < w->flood_remaining ? count : w->flood_remaining;
        progress = note(write(w->descriptor, w->flood->bytes + w->flood_offset, count), &written);
        w->flood_remaining -= written;
        w->flood_offset += written;
        w->flood_offset = w->flood_offset == w->flood->count ? w->flood->loop : w->flood_offset;
    }
    return progress;
}

static progress_t write_output(websocket_t *w) {
    static const unsigned char close_normally[] = {frame_close, 2, 1000 >> 8, 1000 & 0xFF};
    for (;;) {
        while (w->pending_start < w->pending_end) {
            size_t count = w->pending_end - w->pending_start, written;
            progress_t progress = note(write(w->descriptor, w->pending + w->pending_start, count), &written);
            if (progress != advanced) {
                return progress;
            }
            w->pending_start += written;
        }
        free(w->pending);
        w->pending = NULL;
        w->pending_start = w->pending_end = 0;
        if (w->flood_remaining == 0) {
            return w->closes ? ended : advanced;
        }
        progress_t progress = write_flood(w);
        if (progress != advanced) {
            return progress;
        }
        append(w, close_normally, sizeof close_normally);
    }
}

// Writes the output for the input at once, if no other output waits.
static progress_t send_bytes(websocket_t *w, const unsigned char *bytes, size_t count) {
    size_t written = 0;
    progress_t progress = advanced;
    if (count > 0 && w->pending == NULL) {
        progress = note(write(w->descriptor, bytes, count), &written);
    }
    append(w, bytes + written, count - written);
    return progress == ended ? ended : advanced;
}

// MARK: Reading

// Handles a whole control frame, and writes the answer to `to`, which may be at a lower address and overlap `payload`.
static size_t answer_control(websocket_t *w, const frame_t *frame, const unsigned char *payload, unsigned char *to) {
    unsigned char unmasked[125];
    if (frame->first == frame_pong || frame->count > sizeof unmasked) {
        return 0;
    }
    frame_unmask(unmasked, payload, (size_t)frame->count, frame->mask, 0);
    if (frame->first == frame_close) {
        w->closes = true;
        if (w->resource == flooding && w->flood_count == 0) {
            return 0;  // this frame answers the server's Close frame
        }
    }
    size_t head = frame_write(to, frame->first == frame_ping ? frame_pong : frame_close, frame->count);
    memcpy(to + head, unmasked, (size_t)frame->count);
    return head + (size_t)frame->count;
}

// Handles all of `bytes`, replaces them with the output, and returns the length of the output.
static size_t take_frames(websocket_t *w, unsigned char *bytes, size_t count) {
    size_t in = 0, out = 0;
    while (in < count && !w->closes) {
        if (w->remaining > 0) {
            size_t part = count - in < w->remaining ? count - in : (size_t)w->remaining;
            if (w->resource == echo) {
                frame_unmask(bytes + out, bytes + in, part, w->frame.mask, w->frame.count - w->remaining);
                out += part;
            }
            w->remaining -= part;
            in += part;
            continue;
        }
        frame_t *frame = &w->frame;
        if (!frame_read(frame, bytes + in, count - in) ||
            (frame_is_control(frame) && count - in < frame->head + frame->count)) {
            w->carried_count = count - in < sizeof w->carried ? count - in : sizeof w->carried;
            memcpy(w->carried, bytes + in, w->carried_count);
            break;
        }
        in += frame->head;
        if (frame_is_control(frame)) {
            out += answer_control(w, frame, bytes + in, bytes + out);
            in += (size_t)frame->count;
            continue;
        }
        w->remaining = frame->count;
        if (w->resource == echo) {
            out += frame_write(bytes + out, frame->first, frame->count);
        } else if (w->resource == flooding && w->flood_count > 0) {
            w->flood_remaining = flood_length(w->flood, w->flood_count);
            w->flood_count = 0;
        }
    }
    return out;
}

static progress_t read_input(websocket_t *w) {
    static unsigned char scratch[frame_control_longest + read_capacity];
    memcpy(scratch, w->carried, w->carried_count);
    ssize_t count = read(w->descriptor, scratch + w->carried_count, read_capacity);
    if (count <= 0) {
        return count < 0 && errno == EAGAIN ? blocked : ended;
    }
    w->drained = count < read_capacity;
    size_t total = w->carried_count + (size_t)count;
    w->carried_count = 0;
    return send_bytes(w, scratch, take_frames(w, scratch, total));
}

bool websocket_advance(websocket_t *w, bool peer_closed) {
    w->drained = false;
    for (;;) {
        progress_t progress = write_output(w);
        if (progress == advanced) {
            if (w->drained && !peer_closed) {
                return true;
            }
            progress = read_input(w);
        }
        if (progress != advanced) {
            return progress == blocked;
        }
    }
}
