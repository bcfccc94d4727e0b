// SPDX-License-Identifier: Apache-2.0
// Runs all fuzz targets over the inputs in their corpora, in one process without a fuzzer; scripts/fuzz says how it is built.
// Prints the input that it runs, so that the last line names the input of a crash.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TARGET(name) int fuzz##name(const uint8_t *bytes, size_t count);
#include "targets.inc"
#undef TARGET

struct target {
    const char *name;
    int (*run)(const uint8_t *bytes, size_t count);
};
static const struct target targets[] = {
#define TARGET(name) {#name, fuzz##name},
#include "targets.inc"
};

static void fail(const char *what, const char *path) {
    fprintf(stderr, "error: cannot %s %s\n", what, path);
    exit(1);
}

// Runs a target over one file.
static void replay(const struct target *target, const char *path) {
    static uint8_t bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail("open", path);
    size_t count = fread(bytes, 1, sizeof bytes, file);
    if (ferror(file) || !feof(file)) fail("read all of", path);
    fclose(file);
    printf("%s\n", path);
    fflush(stdout);
    // Its own allocation, so that a tool that watches memory sees a read past the end.
    uint8_t *input = malloc(count + 1);
    memcpy(input, bytes, count);
    target->run(input, count);
    free(input);
}

int main(void) {
    for (size_t index = 0; index < sizeof targets / sizeof *targets; index++) {
        char folder[256], path[1024];
        snprintf(folder, sizeof folder, "Fuzz/%s/Corpus", targets[index].name);
        DIR *corpus = opendir(folder);
        if (corpus == NULL) fail("open", folder);
        int count = 0;
        for (struct dirent *entry; (entry = readdir(corpus)) != NULL;) {
            if (entry->d_name[0] == '.') continue;
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            replay(&targets[index], path);
            count++;
        }
        closedir(corpus);
        if (count == 0) fail("find an input in", folder);
    }
}
