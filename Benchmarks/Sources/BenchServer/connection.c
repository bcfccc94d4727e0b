// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "connection.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "coding.h"
#include "content.h"
#include "field.h"
#include "messages.h"
#include "progress.h"
#include "websocket.h"

enum {
    input_capacity = 64 << 10,    // the maximum length of pipelined heads
    output_capacity = 64 << 10,   // responses that one write sends together
    response_capacity = 4 << 10,  // the largest response that fits in such a write
    scratch_capacity = 512 << 10, // request bodies are read into this and discarded
};

typedef enum {
    reading_head,
    reading_body,          // `remaining` bytes follow
    reading_chunk_size,    // `remaining` is the size read so far
    reading_chunk_extension,
    reading_chunk,         // `remaining` bytes and CR LF follow
    reading_trailer,       // `remaining` is the length of the line read so far
} phase_t;

struct connection {
    int descriptor;
    phase_t phase;
    size_t remaining;
    bool closes;   // once everything is written
    bool drained;  // the last read returned less than it could: nothing is left to read for now

    char input[input_capacity];
    size_t input_start, input_end;

    char output[output_capacity];
    size_t output_start, output_end;
    block_t body;  // follows `output`
    size_t body_offset, body_remaining;

    websocket_offer_t offer;  // of the last request
    websocket_t *websocket;   // set once the connection is a WebSocket

    bool waits;  // for other requests to `/together`
    connection_t *next_waiting;
};

// The connections whose requests wait for others.
static connection_t *waiting;
static size_t waiting_count;

connection_t *connection_create(int descriptor) {
    connection_t *connection = calloc(1, sizeof *connection);
    if (connection != NULL) {
        connection->descriptor = descriptor;
    }
    return connection;
}

void connection_destroy(connection_t *connection) {
    for (connection_t **next = &waiting; connection->waits && *next != NULL; next = &(*next)->next_waiting) {
        if (*next == connection) {
            *next = connection->next_waiting;
            connection->waits = false;
            waiting_count--;
            break;
        }
    }
    close(connection->descriptor);
    websocket_destroy(connection->websocket);
    free(connection);
}

// MARK: Responses

static void respond(connection_t *c, const char *status, const char *type, block_t body, size_t count) {
    char *output = c->output + c->output_end;
    int head = snprintf(
        output, output_capacity - c->output_end,
        "HTTP/1.1 %s\r\nServer: bench\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Type: %s\r\n"
        "Content-Length: %zu\r\nCache-Control: no-store\r\nETag: \"5f1c-61a0\"\r\nVary: Accept-Encoding\r\n"
        "X-Request-Id: 7d2f0c1e-93a4-4d7e-b1f8-0a6c5e4d3b2a\r\n%s\r\n",
        status, type, count, c->closes ? "Connection: close\r\n" : "");
    c->output_end += (size_t)head;
    if (count <= body.count && count <= response_capacity - 1024) {
        memcpy(c->output + c->output_end, body.bytes, count);
        c->output_end += count;
    } else {
        c->body = body;
        c->body_offset = 0;
        c->body_remaining = count;
    }
}

static void respond_text(connection_t *c, const char *status, const char *json) {
    respond(c, status, "application/json", (block_t){json, strlen(json)}, strlen(json));
}

static progress_t write_output(connection_t *c) {
    while (c->output_start < c->output_end || c->body_remaining > 0) {
        size_t output = c->output_end - c->output_start, in_block = 0;
        if (c->body_remaining > 0) {
            in_block = c->body.count - c->body_offset;
            in_block = in_block < c->body_remaining ? in_block : c->body_remaining;
        }
        struct iovec parts[] = {
            {c->output + c->output_start, output},
            {(char *)c->body.bytes + c->body_offset, in_block},
        };
        ssize_t written = writev(c->descriptor, parts, in_block > 0 ? 2 : 1);
        if (written < 0) {
            return errno == EAGAIN ? blocked : ended;
        }
        size_t from_output = (size_t)written < output ? (size_t)written : output;
        size_t from_block = (size_t)written - from_output;
        c->output_start += from_output;
        c->body_remaining -= from_block;
        c->body_offset = in_block > 0 ? (c->body_offset + from_block) % c->body.count : 0;
    }
    c->output_start = c->output_end = 0;
    return c->closes && c->phase == reading_head ? ended : advanced;
}

static void respond_small(connection_t *c) {
    respond(c, "200 OK", "application/json", content_small, content_small.count);
}

// Responds once `count` connections wait for it: to all of them. A failed write is found when its socket reports it.
static void respond_together(connection_t *c, size_t count) {
    if (waiting_count + 1 < count) {
        c->waits = true;
        c->next_waiting = waiting;
        waiting = c;
        waiting_count++;
        return;
    }
    respond_small(c);
    while (waiting != NULL) {
        connection_t *other = waiting;
        waiting = other->next_waiting;
        other->waits = false;
        respond_small(other);
        write_output(other);
    }
    waiting_count = 0;
}

// MARK: Request heads

static void route(connection_t *c, const char *method, const char *path) {
    bool receives = strcmp(method, "PUT") == 0 || strcmp(method, "POST") == 0;
    if (c->offer.upgrades && (c->websocket = websocket_create(c->descriptor, path, &c->offer)) != NULL) {
        return;
    } else if (strcmp(path, "/small") == 0) {
        respond_small(c);
    } else if (strcmp(path, "/last") == 0) {
        c->closes = true;
        respond_small(c);
    } else if (strncmp(path, "/together/", 10) == 0) {
        respond_together(c, strtoull(path + 10, NULL, 10));
    } else if (strncmp(path, "/bytes/", 7) == 0) {
        respond(c, "200 OK", "application/octet-stream", content_bytes, strtoull(path + 7, NULL, 10));
    } else if (strncmp(path, "/ndjson/", 8) == 0) {
        respond(c, "200 OK", "application/x-ndjson", content_ndjson, strtoull(path + 8, NULL, 10));
    } else if (coding_of(path) != NULL) {
        const coding_t *coding = coding_of(path);
        char fields[64];
        snprintf(fields, sizeof fields, "application/x-ndjson\r\nContent-Encoding: %s", coding->token);
        block_t block = encoded(coding, content_ndjson, strtoull(path + strlen(coding->path), NULL, 10));
        respond(c, "200 OK", fields, block, block.count);
    } else if (strncmp(path, "/events/", 8) == 0) {
        size_t count = strtoull(path + 8, NULL, 10) * content_event_count;
        respond(c, "200 OK", "text/event-stream", content_events, count);
    } else if (strncmp(path, "/messages/", 10) == 0 && messages_exist(strtoull(path + 10, NULL, 10))) {
        block_t block = messages(strtoull(path + 10, NULL, 10));
        respond(c, "200 OK", "text/plain; charset=utf-8", block, block.count);
    } else if (receives && strcmp(path, "/upload") == 0) {
        respond_text(c, "200 OK", "{\"received\":true}");
    } else {
        respond_text(c, "404 Not Found", "{\"error\":\"no such path\"}");
    }
}

static void read_field(connection_t *c, const char *line, size_t count, bool *expects) {
    const char *colon = memchr(line, ':', count);
    if (colon == NULL) {
        return;
    }
    size_t name = (size_t)(colon - line);
    const char *value = colon + 1, *end = line + count;
    while (value < end && *value == ' ') {
        value++;
    }
    size_t length = (size_t)(end - value);
    if (field_is(line, name, "Content-Length")) {
        c->remaining = strtoull(value, NULL, 10);
        c->phase = c->remaining > 0 ? reading_body : reading_head;
    } else if (field_is(line, name, "Transfer-Encoding") && field_is(value, length, "chunked")) {
        c->remaining = 0;
        c->phase = reading_chunk_size;
    } else if (field_is(line, name, "Expect") && field_is(value, length, "100-continue")) {
        *expects = true;
    } else if (field_is(line, name, "Connection") && field_is(value, length, "close")) {
        c->closes = true;
    } else {
        websocket_read_field(&c->offer, line, name, value, length);
    }
}

// Reads one request head from the input, and adds its response to the output.
static progress_t read_head(connection_t *c) {
    char *start = c->input + c->input_start;
    char *end = memmem(start, c->input_end - c->input_start, "\r\n\r\n", 4);
    if (end == NULL) {
        return blocked;
    }
    c->input_start = (size_t)(end + 4 - c->input);
    char method[16], path[256];
    *end = '\0';
    if (sscanf(start, "%15s %255s", method, path) != 2) {
        return ended;
    }
    bool expects = false;
    c->offer = (websocket_offer_t){0};
    char *line = strstr(start, "\r\n");
    while (line != NULL) {
        line += 2;
        char *next = strstr(line, "\r\n");
        read_field(c, line, next != NULL ? (size_t)(next - line) : strlen(line), &expects);
        line = next;
    }
    if (expects && c->phase != reading_head) {
        static const char proceed[] = "HTTP/1.1 100 Continue\r\n\r\n";
        memcpy(c->output + c->output_end, proceed, sizeof proceed - 1);
        c->output_end += sizeof proceed - 1;
        write_output(c);  // the client waits for this response; the rest follows later
    }
    route(c, method, path);
    return advanced;
}

// MARK: Request bodies

// Takes the part of `count` bytes that belongs to the current body; returns its length.
static size_t discard(connection_t *c, const char *bytes, size_t count) {
    size_t taken = 0;
    while (taken < count && c->phase != reading_head) {
        if (c->phase == reading_body || c->phase == reading_chunk) {
            size_t part = count - taken < c->remaining ? count - taken : c->remaining;
            taken += part;
            c->remaining -= part;
            if (c->remaining == 0) {
                c->phase = c->phase == reading_body ? reading_head : reading_chunk_size;
            }
            continue;
        }
        char byte = bytes[taken++];
        if (c->phase == reading_trailer) {
            if (byte == '\n') {
                c->phase = c->remaining == 0 ? reading_head : reading_trailer;
                c->remaining = 0;
            } else if (byte != '\r') {
                c->remaining++;
            }
        } else if (byte == '\n') {
            c->phase = c->remaining == 0 ? reading_trailer : reading_chunk;
            c->remaining += c->remaining == 0 ? 0 : 2;  // CR LF after the data
        } else if (byte == ';' || byte == '\r') {
            c->phase = reading_chunk_extension;
        } else if (c->phase == reading_chunk_size) {
            unsigned digit = byte <= '9' ? (unsigned)(byte - '0') : (unsigned)((byte | 0x20) - 'a' + 10);
            c->remaining = c->remaining * 16 + (digit & 15);
        }
    }
    return taken;
}

// MARK: The connection

static progress_t read_input(connection_t *c) {
    static char scratch[scratch_capacity];
    bool discards = c->phase != reading_head && c->input_start == c->input_end;
    if (c->input_start == c->input_end) {
        c->input_start = c->input_end = 0;
    } else if (c->input_start > 0 && c->input_end == input_capacity) {
        c->input_end -= c->input_start;
        memmove(c->input, c->input + c->input_start, c->input_end);
        c->input_start = 0;
    }
    char *target = discards ? scratch : c->input + c->input_end;
    size_t capacity = discards ? scratch_capacity : input_capacity - c->input_end;
    ssize_t count = read(c->descriptor, target, capacity);
    if (count <= 0) {
        return count < 0 && errno == EAGAIN ? blocked : ended;
    }
    c->drained = (size_t)count < capacity;
    if (!discards) {
        c->input_end += (size_t)count;
        return advanced;
    }
    size_t taken = discard(c, scratch, (size_t)count), rest = (size_t)count - taken;
    if (rest > input_capacity) {
        return ended;
    }
    memcpy(c->input, scratch + taken, rest);  // pipelined after the body
    c->input_end = rest;
    return advanced;
}

// Handles the input while there is room for responses.
static progress_t handle_input(connection_t *c) {
    while (c->input_start < c->input_end && c->websocket == NULL) {
        if (c->phase != reading_head) {
            c->input_start += discard(c, c->input + c->input_start, c->input_end - c->input_start);
            continue;
        }
        if (c->body_remaining > 0 || output_capacity - c->output_end < response_capacity || c->closes) {
            return advanced;
        }
        progress_t progress = read_head(c);
        if (progress != advanced) {
            return progress;
        }
    }
    return blocked;
}

bool connection_advance(connection_t *c, bool peer_closed) {
    c->drained = false;
    for (;;) {
        progress_t handled = handle_input(c);
        if (c->websocket != NULL) {
            return websocket_advance(c->websocket, peer_closed);
        }
        if (handled == ended) {
            return false;
        }
        // A response to a request whose body is still arriving waits for the body's end.
        if (c->phase == reading_head) {
            progress_t written = write_output(c);
            if (written != advanced) {
                return written == blocked;
            }
        }
        if (handled == blocked) {
            if (c->drained && !peer_closed) {
                return true;
            }
            progress_t received = read_input(c);
            if (received != advanced) {
                return received == blocked;
            }
        }
    }
}
