// SPDX-License-Identifier: Apache-2.0
//
// The same work without an HTTP library, on one thread: blocking sockets, and OpenSSL for https. The head of its
// requests is a constant, and of the head of a response, it reads only the status and Content-Length. So it shows what the
// system, TLS and the server cost.

#define _GNU_SOURCE
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdbool.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../measure.h"

enum { buffer_size = 512 << 10, head_limit = 8 << 10, read_ahead = 256 << 10 };

static char buffer[buffer_size];
static char host[256], path[1024];
static int connection;
static SSL *tls;  // NULL without TLS

// Receives at least one byte, and with TLS all records that have arrived, including the rest of the last one.
static size_t receive(char *to, size_t room) {
    size_t count = 0;
    do {
        ssize_t part =
            tls != NULL ? SSL_read(tls, to + count, (int)(room - count)) : recv(connection, to + count, room - count, 0);
        if (part <= 0) {
            fail("the connection ended");
        }
        count += (size_t)part;
    } while (tls != NULL && count < room && SSL_has_pending(tls) == 1);
    return count;
}

static void send_all(const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t sent = tls != NULL ? SSL_write(tls, bytes, (int)count) : send(connection, bytes, count, 0);
        if (sent <= 0) {
            fail("the connection ended");
        }
        bytes += sent;
        count -= (size_t)sent;
    }
}

static void open_connection(arguments_t arguments) {
    int port = 0;
    bool is_encrypted = strncmp(arguments.url, "https:", 6) == 0;
    if (sscanf(strstr(arguments.url, "://") + 3, "%255[^:]:%d%1023s", host, &port, path) != 3) {
        fail("the URL needs a host, a port and a path");
    }
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int on = 1;
    setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(connection, (struct sockaddr *)&address, sizeof address) != 0) {
        fail("cannot connect");
    }
    if (is_encrypted) {
        SSL_CTX *context = SSL_CTX_new(TLS_client_method());
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
        SSL_CTX_set_read_ahead(context, 1);
        SSL_CTX_set_default_read_buffer_len(context, read_ahead);
        tls = SSL_new(context);
        if (SSL_CTX_load_verify_locations(context, arguments.authority, NULL) != 1 || SSL_set1_host(tls, host) != 1 ||
            SSL_set_tlsext_host_name(tls, host) != 1 || SSL_set_fd(tls, connection) != 1 || SSL_connect(tls) != 1) {
            ERR_print_errors_fp(stderr);
            fail("the TLS handshake failed");
        }
    }
}

static void send_head(const char *method, const char *target, size_t length) {
    char head[2048];
    int count = snprintf(head, sizeof head, "%s %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: bare\r\nAccept: */*\r\n", method,
                         target, host);
    if (length > 0) {
        count += snprintf(head + count, sizeof head - (size_t)count, "Content-Length: %zu\r\n", length);
    }
    count += snprintf(head + count, sizeof head - (size_t)count, "\r\n");
    send_all(head, (size_t)count);
}

static void save(int file, const char *bytes, size_t count) {
    if (file >= 0 && write(file, bytes, count) != (ssize_t)count) {
        fail("cannot write the file");
    }
}

// Reads a response, and writes its body to the file if there is one; returns the length of the body.
static size_t read_response(int file) {
    size_t count = 0;
    char *end;
    do {
        count += receive(buffer + count, head_limit - count);
        buffer[count] = 0;
        end = strstr(buffer, "\r\n\r\n");
    } while (end == NULL && count < head_limit - 1);
    if (end == NULL || strncmp(buffer, "HTTP/1.1 200 ", 13) != 0) {
        fail("the response is not the expected one");
    }
    char *field = strcasestr(buffer, "\r\ncontent-length:");
    size_t length = field != NULL && field < end ? strtoull(field + 17, NULL, 10) : 0;
    size_t received = count - (size_t)(end + 4 - buffer);
    save(file, end + 4, received);
    while (received < length) {
        size_t rest = length - received, part = receive(buffer, rest < buffer_size ? rest : buffer_size);
        save(file, buffer, part);
        received += part;
    }
    return length;
}

static void send_file(int file, size_t length) {
    for (size_t sent = 0; sent < length;) {
        ssize_t part;
        if (tls == NULL) {
            part = sendfile(connection, file, NULL, length - sent);
        } else if ((part = read(file, buffer, buffer_size)) > 0) {
            send_all(buffer, (size_t)part);
        }
        if (part <= 0) {
            fail("cannot send the file");
        }
        sent += (size_t)part;
    }
}

int main(int argument_count, char **words) {
    arguments_t arguments = read_arguments(argument_count, words);
    bool is_upload = strcmp(arguments.benchmark, "upload") == 0, is_get = strcmp(arguments.benchmark, "get") == 0;
    if (!is_upload && !is_get && strcmp(arguments.benchmark, "download") != 0) {
        fail("the case is unknown");
    }
    open_connection(arguments);
    send_head("GET", "/small", 0);
    read_response(-1);

    measurement_t start = start_measurement();
    size_t bytes = 0;
    if (is_get) {
        double end = start.seconds + arguments.seconds;
        for (arguments.count = 0; clock_seconds() < end; arguments.count++) {
            send_head("GET", path, 0);
            bytes += read_response(-1);
        }
    } else {
        int file = open(arguments.file, is_upload ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC, 0644);
        struct stat status;
        if (file < 0 || fstat(file, &status) != 0) {
            fail("cannot open the file");
        }
        bytes = (size_t)status.st_size;
        send_head(is_upload ? "PUT" : "GET", path, bytes);
        if (is_upload) {
            send_file(file, bytes);
            read_response(-1);
        } else {
            bytes = read_response(file);
        }
    }
    end_measurement(start, "bare", arguments, bytes, 0);
}
