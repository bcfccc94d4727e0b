// SPDX-License-Identifier: Apache-2.0
//
// The server behind the benchmarks: HTTP/1.1 on loopback, one thread, epoll.
//
//   GET /small        1 KiB of JSON
//   GET /last         the same, and then the server closes the connection
//   GET /together/<n> the same, once n of these requests have arrived
//   GET /bytes/<n>    n bytes
//   GET /ndjson/<n>   n bytes of JSON lines, 100 bytes each on average
//   GET /gzip/<n>, /brotli/<n>, /zstd/<n>
//                     the same, with that content coding
//   GET /events/<n>   n server-sent events, each with 100 bytes of JSON as its data
//   GET /messages/<n> WebSocket messages of n bytes each, one after the other, for a peer to send
//   PUT, POST /upload reads and discards the body
//
// and WebSockets; `deflate=1` accepts permessage-deflate, if it is offered:
//
//   /ws/echo          sends back each frame
//   /ws/sink          discards each frame
//   /ws/flood?bytes=<n>&count=<m>
//                     once it has received a message, sends m messages of n bytes each, then Close
//
// Prints `port <n>`, then serves until its standard input is closed. With `--addresses <n>`, it serves on that port of the
// addresses from 127.0.0.1 to 127.0.0.n, so that a client has n servers.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "connection.h"
#include "content.h"

enum { events_per_wait = 256, maximum_address_count = 250 };

// The sources of events other than connections. A listener is marked by its place in this array.
static int listeners[maximum_address_count];
static char input_mark;

static void fail(const char *call) {
    perror(call);
    exit(1);
}

// Listens on a port of 127.0.0.`number`; sets the port if it is 0.
static int listen_on_loopback(unsigned number, in_port_t *port) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = *port};
    address.sin_addr.s_addr = htonl((INADDR_LOOPBACK & 0xffffff00) | number);
    socklen_t length = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) < 0 || listen(listener, 4096) < 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) < 0) {
        fail("listen");
    }
    *port = address.sin_port;
    return listener;
}

static int watch(int epoll, int descriptor, unsigned events, void *owner) {
    struct epoll_event event = {.events = events, .data.ptr = owner};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

static void accept_all(int epoll, int listener) {
    for (;;) {
        int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (descriptor < 0) {
            return;
        }
        int on = 1;
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        connection_t *connection = connection_create(descriptor);
        if (connection == NULL) {
            close(descriptor);
        } else if (watch(epoll, descriptor, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, connection) < 0) {
            connection_destroy(connection);
        }
    }
}

// Returns true if standard input has ended.
static int input_ended(void) {
    char ignored[256];
    return read(STDIN_FILENO, ignored, sizeof ignored) <= 0;
}

int main(int count, char **arguments) {
    unsigned address_count = 1;
    if (count == 3 && strcmp(arguments[1], "--addresses") == 0) {
        address_count = (unsigned)strtoul(arguments[2], NULL, 10);
    }
    if (address_count < 1 || address_count > maximum_address_count) {
        fprintf(stderr, "error: --addresses takes a number from 1 to %d\n", maximum_address_count);
        return 1;
    }
    signal(SIGPIPE, SIG_IGN);
    content_prepare();
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    in_port_t port = 0;
    for (unsigned i = 0; i < address_count; i++) {
        listeners[i] = listen_on_loopback(i + 1, &port);
        if (epoll < 0 || watch(epoll, listeners[i], EPOLLIN, &listeners[i]) < 0) {
            fail("epoll");
        }
    }
    printf("port %d\n", ntohs(port));
    fflush(stdout);
    if (watch(epoll, STDIN_FILENO, EPOLLIN, &input_mark) < 0 && errno != EPERM) {  // EPERM: epoll cannot watch a file
        fail("standard input");
    }
    struct epoll_event events[events_per_wait];
    for (;;) {
        int ready = epoll_wait(epoll, events, events_per_wait, -1);
        for (int i = 0; i < ready; i++) {
            void *owner = events[i].data.ptr;
            if ((int *)owner >= listeners && (int *)owner < listeners + address_count) {
                accept_all(epoll, *(int *)owner);
            } else if (owner == &input_mark) {
                if (input_ended()) {
                    return 0;
                }
            } else if (!connection_advance(owner, events[i].events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR))) {
                connection_destroy(owner);
            }
        }
    }
}
