// SPDX-License-Identifier: Apache-2.0
//
// The server behind the benchmarks: HTTP/1.1 on loopback, one thread, epoll.
//
//   GET /small        1 KiB of JSON
//   GET /bytes/<n>    n bytes
//   GET /ndjson/<n>   n bytes of JSON lines, 100 bytes each on average
//   GET /gzip/<n>     the same, compressed with gzip as its content coding
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
// Prints `port <n>`, then serves until its standard input is closed.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "connection.h"
#include "content.h"

enum { events_per_wait = 256 };

// The sources of events other than connections.
static char listener_mark, input_mark;

static void fail(const char *call) {
    perror(call);
    exit(1);
}

static int listen_on_loopback(void) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) < 0 || listen(listener, 4096) < 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) < 0) {
        fail("listen");
    }
    printf("port %d\n", ntohs(address.sin_port));
    fflush(stdout);
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

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    content_prepare();
    int epoll = epoll_create1(EPOLL_CLOEXEC), listener = listen_on_loopback();
    if (epoll < 0 || watch(epoll, listener, EPOLLIN, &listener_mark) < 0) {
        fail("epoll");
    }
    if (watch(epoll, STDIN_FILENO, EPOLLIN, &input_mark) < 0 && errno != EPERM) {  // EPERM: epoll cannot watch a file
        fail("standard input");
    }
    struct epoll_event events[events_per_wait];
    for (;;) {
        int count = epoll_wait(epoll, events, events_per_wait, -1);
        for (int i = 0; i < count; i++) {
            void *owner = events[i].data.ptr;
            if (owner == &listener_mark) {
                accept_all(epoll, listener);
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
