// SPDX-License-Identifier: Apache-2.0
//
// Measures libcurl: its multi interface on epoll, and jansson for JSON. Fails if a response has another version of HTTP
// than the one demanded, or if libcurl opens more connections than concurrent requests, or than one over HTTP/2.

#define _GNU_SOURCE
#include <curl/curl.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "../measure.h"

enum {
    events_per_wait = 256,
    streams_per_connection = 1000,
    large_buffer = 512 << 10,  // libcurl's default of 16 KiB makes long bodies slower
};

typedef struct {
    char *bytes;
    size_t count, room;
} buffer_t;

// Receives the lines of a body.
typedef void take_line_t(const char *line, size_t count);

typedef struct {
    CURL *easy;
    buffer_t content;  // the body, or the beginning of a line that continues in the next chunk
    int file;
    size_t bytes;
} transfer_t;

static arguments_t arguments;
static CURLM *multi;
static int epoll;
static double due;  // the time at which libcurl wants to be called; infinite if it waits only for sockets
static take_line_t *take_line;
static size_t values, value_bytes, connections;

// MARK: Bodies

static void append(buffer_t *buffer, const char *bytes, size_t count, size_t expected) {
    if (buffer->count + count > buffer->room) {
        size_t room = expected > 2 * buffer->room ? expected : 2 * buffer->room;
        buffer->room = room > buffer->count + count ? room : buffer->count + count;
        buffer->bytes = realloc(buffer->bytes, buffer->room);
        if (buffer->bytes == NULL) {
            fail("no memory");
        }
    }
    memcpy(buffer->bytes + buffer->count, bytes, count);
    buffer->count += count;
}

static size_t keep(char *bytes, size_t size, size_t count, void *context) {
    transfer_t *transfer = context;
    curl_off_t expected = 0;
    if (transfer->content.count == 0) {
        curl_easy_getinfo(transfer->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &expected);
    }
    append(&transfer->content, bytes, size * count, expected > 0 ? (size_t)expected : 0);
    transfer->bytes += size * count;
    return size * count;
}

static size_t save(char *bytes, size_t size, size_t count, void *context) {
    transfer_t *transfer = context;
    for (size_t written = 0; written < size * count;) {
        ssize_t part = write(transfer->file, bytes + written, size * count - written);
        if (part < 0) {
            fail("cannot write the file");
        }
        written += (size_t)part;
    }
    transfer->bytes += size * count;
    return size * count;
}

// Copies only lines that span several chunks.
static size_t split(char *bytes, size_t size, size_t count, void *context) {
    transfer_t *transfer = context;
    buffer_t *unfinished = &transfer->content;
    char *start = bytes, *end = bytes + size * count, *feed;
    while ((feed = memchr(start, '\n', (size_t)(end - start))) != NULL) {
        if (unfinished->count > 0) {
            append(unfinished, start, (size_t)(feed - start), 0);
            take_line(unfinished->bytes, unfinished->count);
            unfinished->count = 0;
        } else {
            take_line(start, (size_t)(feed - start));
        }
        start = feed + 1;
    }
    append(unfinished, start, (size_t)(end - start), 0);
    return size * count;
}

static void add_string(const char *bytes, size_t count) {
    static char *last;  // a copy that outlives the chunk
    free(last);
    last = strndup(bytes, count);
    values++;
    value_bytes += strlen(last);
}

static void add_json(const char *bytes, size_t count) {
    json_t *value = json_loadb(bytes, count, 0, NULL);
    const char *by;
    int photo, favourites;
    if (json_unpack(value, "{s:i, s:i, s:s}", "photo", &photo, "favourites", &favourites, "by", &by) != 0) {
        fail("unexpected JSON");
    }
    values++;
    value_bytes += strlen(by);
    json_decref(value);
}

// Takes each line that begins with `data:` as one event, as the peer in Go does.
static void add_data(const char *line, size_t count, take_line_t *add) {
    if (count > 5 && memcmp(line, "data:", 5) == 0) {
        size_t start = line[5] == ' ' ? 6 : 5;
        add(line + start, count - start);
    }
}

static void add_event(const char *line, size_t count) { add_data(line, count, add_string); }
static void add_delta(const char *line, size_t count) { add_data(line, count, add_json); }

// MARK: Transfers

static int watch(CURL *easy, curl_socket_t socket, int what, void *context, void *known) {
    (void)easy, (void)context;
    struct epoll_event event = {.data.fd = socket};
    event.events = (what & CURL_POLL_IN ? EPOLLIN : 0) | (what & CURL_POLL_OUT ? EPOLLOUT : 0);
    if (what == CURL_POLL_REMOVE) {
        epoll_ctl(epoll, EPOLL_CTL_DEL, socket, NULL);
    } else if (known != NULL) {
        epoll_ctl(epoll, EPOLL_CTL_MOD, socket, &event);
    } else {
        epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event);
        curl_multi_assign(multi, socket, &epoll);  // marks the socket as known
    }
    return 0;
}

static int set_timer(CURLM *handle, long milliseconds, void *context) {
    (void)handle, (void)context;
    due = milliseconds < 0 ? INFINITY : milliseconds == 0 ? 0 : clock_seconds() + (double)milliseconds / 1e3;
    return 0;
}

static void act(curl_socket_t socket, int events) {
    int running;
    if (socket == CURL_SOCKET_TIMEOUT) {
        due = INFINITY;
    }
    if (curl_multi_socket_action(multi, socket, events, &running) != CURLM_OK) {
        fail("libcurl fails");
    }
}

// Lets libcurl continue, or waits for a socket if it has nothing to do.
static void advance(void) {
    if (due == 0) {
        act(CURL_SOCKET_TIMEOUT, 0);
        return;  // because a transfer may have ended
    }
    struct epoll_event events[events_per_wait];
    double wait = (due - clock_seconds()) * 1e3;
    int count = epoll_wait(epoll, events, events_per_wait, wait > 1e6 ? -1 : wait > 0 ? (int)wait + 1 : 0);
    for (int i = 0; i < count; i++) {
        unsigned ready = events[i].events;
        int flags = (ready & EPOLLIN ? CURL_CSELECT_IN : 0) | (ready & EPOLLOUT ? CURL_CSELECT_OUT : 0);
        act(events[i].data.fd, flags | (ready & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0));
    }
    if (count == 0 && clock_seconds() >= due) {
        act(CURL_SOCKET_TIMEOUT, 0);
    }
}

static void check(CURL *easy, CURLcode result) {
    long status = 0, version = 0, connects = 0;
    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(easy, CURLINFO_HTTP_VERSION, &version);
    curl_easy_getinfo(easy, CURLINFO_NUM_CONNECTS, &connects);
    bool is_http2 = strcmp(arguments.version, "2") == 0;
    connections += (size_t)connects;
    if (result != CURLE_OK || status != 200) {
        fprintf(stderr, "%s, status %ld\n", curl_easy_strerror(result), status);
        fail("a request failed");
    }
    if (version != (is_http2 ? CURL_HTTP_VERSION_2_0 : CURL_HTTP_VERSION_1_1)) {
        fail("wrong version of HTTP");
    }
    if (connections > (is_http2 ? 1 : arguments.concurrency)) {
        fail("too many connections");
    }
}

static transfer_t *create_transfer(const char *url, curl_write_callback receive) {
    transfer_t *transfer = calloc(1, sizeof *transfer);
    CURL *easy = transfer->easy = curl_easy_init();
    bool is_http2 = strcmp(arguments.version, "2") == 0;
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer);
    curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt(easy, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, is_http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(easy, CURLOPT_PIPEWAIT, is_http2 ? 1L : 0L);  // waits to share the connection
    if (arguments.authority[0] != '\0') {
        curl_easy_setopt(easy, CURLOPT_CAINFO, arguments.authority);
        curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
    }
    return transfer;
}

static void begin(transfer_t *transfer) {
    transfer->content.count = 0;
    curl_multi_add_handle(multi, transfer->easy);
}

// Repeats the transfers until there were `count`, or until the time `end`; returns the number of requests.
static size_t run(transfer_t **transfers, size_t number, size_t count, double end) {
    size_t begun = 0, done = 0;
    while (begun < number && begun < count) {
        begin(transfers[begun++]);
    }
    while (done < begun) {
        advance();
        CURLMsg *message;
        int rest;
        while ((message = curl_multi_info_read(multi, &rest)) != NULL) {
            CURL *easy = message->easy_handle;
            transfer_t *transfer;
            check(easy, message->data.result);
            curl_easy_getinfo(easy, CURLINFO_PRIVATE, &transfer);
            curl_multi_remove_handle(multi, easy);
            done++;
            if (begun < count && clock_seconds() < end) {
                begin(transfer);
                begun++;
            }
        }
    }
    return done;
}

static void warm_up(transfer_t **transfers) {
    CURLU *url = curl_url();
    char *small;
    curl_url_set(url, CURLUPART_URL, arguments.url, 0);
    curl_url_set(url, CURLUPART_PATH, "/small", 0);
    curl_url_get(url, CURLUPART_URL, &small, 0);
    transfer_t *first = create_transfer(small, keep);
    run(&first, 1, 1, 0);
    if (strcmp(arguments.benchmark, "get") == 0) {
        run(transfers, arguments.concurrency, SIZE_MAX, clock_seconds() + 0.5);
    }
}

static int open_file(size_t index, bool is_numbered) {
    char path[4096];
    snprintf(path, sizeof path, is_numbered ? "%s-%zu" : "%s", arguments.file, index);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0) {
        fail("cannot create the file");
    }
    return file;
}

int main(int argument_count, char **words) {
    static const struct {
        const char *name;
        curl_write_callback receive;
        take_line_t *take_line;
    } cases[] = {
        {"get", keep, NULL},          {"download", save, NULL},    {"downloads", save, NULL},
        {"upload", keep, NULL},       {"lines", split, add_string}, {"events", split, add_event},
        {"deltas", split, add_delta}, {"values", split, add_json}, {"data", keep, NULL},
        {"gzip", keep, NULL},         {"brotli", keep, NULL},      {"zstd", keep, NULL},
        {"start", keep, NULL},
    };
    arguments = read_arguments(argument_count, words);
    const char *name = arguments.benchmark;
    size_t index = 0, number = arguments.concurrency, count = arguments.count;
    while (strcmp(name, cases[index].name) != 0) {
        if (++index == sizeof cases / sizeof *cases) {
            fail("the case is unknown");
        }
    }
    take_line = cases[index].take_line;
    bool is_get = strcmp(name, "get") == 0, is_upload = strcmp(name, "upload") == 0;
    curl_global_init(CURL_GLOBAL_DEFAULT);
    multi = curl_multi_init();
    epoll = epoll_create1(EPOLL_CLOEXEC);
    due = INFINITY;
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, set_timer);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)number);
    curl_multi_setopt(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, (long)streams_per_connection);
    transfer_t **transfers = calloc(number, sizeof *transfers);
    for (size_t i = 0; i < number; i++) {
        transfers[i] = create_transfer(arguments.url, cases[index].receive);
        if (!is_get) {
            curl_easy_setopt(transfers[i]->easy, CURLOPT_BUFFERSIZE, (long)large_buffer);
        }
    }
    if (strcmp(name, "gzip") == 0 || strcmp(name, "brotli") == 0 || strcmp(name, "zstd") == 0) {
        curl_easy_setopt(transfers[0]->easy, CURLOPT_ACCEPT_ENCODING, strcmp(name, "brotli") == 0 ? "br" : name);
    }
    if (is_get && !arguments.cold) {
        count = SIZE_MAX;
    }
    if (!arguments.cold) {
        warm_up(transfers);
    }

    measurement_t start = start_measurement();
    size_t bytes = 0;
    if (is_upload) {
        FILE *input = fopen(arguments.file, "rb");
        if (input == NULL || fseek(input, 0, SEEK_END) != 0) {
            fail("cannot read the file");
        }
        bytes = (size_t)ftell(input);
        rewind(input);
        curl_easy_setopt(transfers[0]->easy, CURLOPT_UPLOAD, 1L);
        curl_easy_setopt(transfers[0]->easy, CURLOPT_READDATA, input);
        curl_easy_setopt(transfers[0]->easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)bytes);
        curl_easy_setopt(transfers[0]->easy, CURLOPT_UPLOAD_BUFFERSIZE, (long)large_buffer);
    }
    for (size_t i = 0; i < number && cases[index].receive == save; i++) {
        transfers[i]->file = open_file(i, strcmp(name, "downloads") == 0);
    }
    for (size_t i = 0; i < number; i++) {
        transfers[i]->bytes = 0;  // without those of the warm-up
    }
    count = strcmp(name, "start") == 0 ? 0 : run(transfers, number, count, start.seconds + arguments.seconds);
    for (size_t i = 0; i < number && !is_upload; i++) {
        bytes += transfers[i]->bytes;
    }
    if (strcmp(name, "lines") == 0) {
        bytes = value_bytes + values;  // and the line feeds
    } else if (take_line != NULL) {
        bytes = value_bytes;
        count = values;
    }
    arguments.count = count;
    end_measurement(start, "libcurl", arguments, bytes, 0);
}
