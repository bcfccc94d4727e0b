// SPDX-License-Identifier: Apache-2.0
//
// Shared code of the peers in C and C++: the command line, the used resources and the line of JSON, as in BenchSupport.

#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

typedef struct {
    const char *benchmark, *label, *url, *file, *authority, *version;
    size_t bytes, count, concurrency;
    double seconds;
    int deflate, cold;
} arguments_t;

// The resources that the process had used when the measurement started.
typedef struct {
    double seconds, processor_seconds;
    long idle_kib;
} measurement_t;

static inline void fail(const char *what) {
    fprintf(stderr, "error: %s\n", what);
    exit(1);
}

static inline arguments_t read_arguments(int count, char **words) {
    arguments_t arguments = {"", "", "", "", "", "1.1", 64, 1, 1, 2, 0, 0};
    if (count > 1) {
        arguments.benchmark = words[1];
    }
    for (int i = 2; i < count; i++) {
        const char *option = words[i];
        if (strcmp(option, "--deflate") == 0) {
            arguments.deflate = 1;
            continue;
        } else if (strcmp(option, "--cold") == 0) {
            arguments.cold = 1;
            continue;
        }
        const char *value = ++i < count ? words[i] : "";
        if (strcmp(option, "--label") == 0) {
            arguments.label = value;
        } else if (strcmp(option, "--url") == 0) {
            arguments.url = value;
        } else if (strcmp(option, "--file") == 0) {
            arguments.file = value;
        } else if (strcmp(option, "--ca") == 0) {
            arguments.authority = value;
        } else if (strcmp(option, "--http") == 0) {
            arguments.version = value;
        } else if (strcmp(option, "--concurrency") == 0) {
            arguments.concurrency = strtoull(value, NULL, 10);
        } else if (strcmp(option, "--seconds") == 0) {
            arguments.seconds = strtod(value, NULL);
        } else if (strcmp(option, "--bytes") == 0) {
            arguments.bytes = strtoull(value, NULL, 10);
        } else if (strcmp(option, "--requests") == 0) {
            arguments.count = strtoull(value, NULL, 10);
        } else {
            fail("an argument is unknown");
        }
    }
    return arguments;
}

// Reads a file, and stores the number of its bytes in `count`.
static inline char *read_file(const char *path, size_t *count) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        fail("cannot read the messages");
    }
    *count = (size_t)ftell(file);
    rewind(file);
    char *bytes = (char *)malloc(*count + 1);
    if (bytes == NULL || fread(bytes, 1, *count, file) != *count) {
        fail("cannot read the messages");
    }
    fclose(file);
    return bytes;
}

static inline double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static inline double processor_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

// The number in one row of /proc/self/status; zero if the row is missing.
static inline long status_kib(const char *name) {
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long kib = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, name, strlen(name)) == 0) {
            kib = strtol(line + strlen(name), NULL, 10);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return kib;
}

static inline measurement_t start_measurement(void) {
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (file != NULL) {
        fputs("5", file);  // resets the peak to the memory that is resident now
        fclose(file);
    }
    measurement_t start;
    start.idle_kib = status_kib("VmRSS:");
    start.processor_seconds = processor_seconds();
    start.seconds = clock_seconds();
    return start;
}

// Prints the resources used since `start`; `trip_microseconds` is the median of the round trips, or zero.
static inline void end_measurement(
    measurement_t start, const char *peer, arguments_t arguments, size_t bytes, double trip_microseconds) {
    double seconds = clock_seconds() - start.seconds, used = processor_seconds() - start.processor_seconds;
    printf("{\"peer\": \"%s\", \"case\": \"%s\", \"requests\": %zu, \"bytes\": %zu, \"seconds\": %.9f, "
           "\"cpuSeconds\": %.6f, \"rssIdleKiB\": %ld, \"rssPeakKiB\": %ld",
           peer, arguments.label, arguments.count, bytes, seconds, used, start.idle_kib, status_kib("VmHWM:"));
    if (trip_microseconds > 0) {
        printf(", \"p50Microseconds\": %.3f", trip_microseconds);
    }
    printf("}\n");
}

#endif
