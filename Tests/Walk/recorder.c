// SPDX-License-Identifier: Apache-2.0

// Records which functions of the package a call enters, in the order of first entry, and counts locks and tasks.
//
// The modules are those that scripts/test-threads has compiled for the thread sanitizer: each function calls
// __tsan_func_entry, and each atomic operation is a function of the sanitizer. This file has these functions in place of the
// sanitizer's library, so that it sees both.

#define _GNU_SOURCE
#include "recorder.h"
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { capacity = 1 << 16 };

static atomic_bool is_recording;
static _Atomic uintptr_t known[capacity]; // a set of addresses, by open addressing
static _Atomic uintptr_t entered[capacity];
static atomic_size_t entered_count, sent_at, lock_count, task_count;

static void *next(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) {
        fprintf(stderr, "Tests/Walk/recorder.c: there is no %s\n", name);
        abort();
    }
    return function;
}

void walk_begin(void) {
    for (size_t index = 0; index < capacity; index++) known[index] = 0;
    entered_count = sent_at = lock_count = task_count = 0;
    is_recording = true;
}

extern char __executable_start[];

void walk_end(const char *name) {
    is_recording = false;
    printf("%s\t%zu\t%zu\t%zu", name, sent_at, lock_count, task_count);
    size_t count = entered_count;
    for (size_t index = 0; index < count; index++) {
        printf("\t%lx", (unsigned long)(entered[index] - (uintptr_t)__executable_start));
    }
    printf("\n");
}

// MARK: Functions

void __tsan_func_entry(void *caller) {
    (void)caller;
    if (!is_recording) return;
    uintptr_t address = (uintptr_t)__builtin_return_address(0);
    for (size_t index = (address >> 2) * 0x9E3779B97F4A7C15u % capacity;; index = (index + 1) % capacity) {
        uintptr_t found = known[index];
        if (found == address) return;
        if (found) continue;
        if (!atomic_compare_exchange_strong(&known[index], &found, address)) {
            if (found == address) return;
            continue;
        }
        size_t place = entered_count++;
        if (place == capacity / 2) {
            fprintf(stderr, "Tests/Walk/recorder.c: a call enters too many functions\n");
            abort();
        }
        entered[place] = address;
        return;
    }
}

// MARK: What is sent

// Notes how many functions were entered before the first byte was sent.
static void note_sending(int descriptor) {
    int type;
    socklen_t length = sizeof type;
    if (!is_recording || getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length)) return; // a file, or another thread's signal
    size_t none = 0, here = entered_count;
    atomic_compare_exchange_strong(&sent_at, &none, here);
}

#define SENDING(type, name, parameters, ...)                                                                                     \
    type name parameters {                                                                                                       \
        static type(*_Atomic real) parameters;                                                                                   \
        if (!real) real = (type(*) parameters)next(#name);                                                                       \
        note_sending(descriptor);                                                                                                \
        return real(__VA_ARGS__);                                                                                                \
    }

SENDING(ssize_t, send, (int descriptor, const void *bytes, size_t count, int flags), descriptor, bytes, count, flags)
SENDING(ssize_t, sendmsg, (int descriptor, const struct msghdr *message, int flags), descriptor, message, flags)
SENDING(ssize_t, write, (int descriptor, const void *bytes, size_t count), descriptor, bytes, count)
SENDING(ssize_t, writev, (int descriptor, const struct iovec *pieces, int count), descriptor, pieces, count)
SENDING(ssize_t, sendfile, (int descriptor, int file, off_t *offset, size_t count), descriptor, file, offset, count)

// MARK: Tasks

#define SWIFT __attribute__((swiftcall))

typedef struct {
    void *task, *context;
} NewTask;

SWIFT NewTask swift_task_create(size_t flags, void *options, const void *type, void *function, void *context) {
    static SWIFT NewTask (*_Atomic real)(size_t, void *, const void *, void *, void *);
    if (!real) real = (SWIFT NewTask(*)(size_t, void *, const void *, void *, void *))next("swift_task_create");
    if (is_recording) task_count++;
    return real(flags, options, type, function, context);
}

// MARK: Locks and other atomic operations

// Swift's Mutex is locked by an exchange of 0 for the number of the thread.
static void note_exchange(uint32_t expected, uint32_t desired) {
    static _Thread_local uint32_t thread;
    if (expected || !is_recording) return;
    if (!thread) thread = (uint32_t)syscall(SYS_gettid);
    if (desired == thread) lock_count++;
}

#define ATOMIC(bits)                                                                                                             \
    typedef uint##bits##_t a##bits;                                                                                              \
    a##bits __tsan_atomic##bits##_load(const volatile a##bits *place, int order) {                                               \
        (void)order;                                                                                                             \
        return __atomic_load_n(place, __ATOMIC_SEQ_CST);                                                                         \
    }                                                                                                                            \
    void __tsan_atomic##bits##_store(volatile a##bits *place, a##bits value, int order) {                                        \
        (void)order;                                                                                                             \
        __atomic_store_n(place, value, __ATOMIC_SEQ_CST);                                                                        \
    }                                                                                                                            \
    a##bits __tsan_atomic##bits##_exchange(volatile a##bits *place, a##bits value, int order) {                                  \
        (void)order;                                                                                                             \
        return __atomic_exchange_n(place, value, __ATOMIC_SEQ_CST);                                                              \
    }                                                                                                                            \
    a##bits __tsan_atomic##bits##_fetch_add(volatile a##bits *place, a##bits value, int order) {                                 \
        (void)order;                                                                                                             \
        return __atomic_fetch_add(place, value, __ATOMIC_SEQ_CST);                                                               \
    }                                                                                                                            \
    a##bits __tsan_atomic##bits##_fetch_sub(volatile a##bits *place, a##bits value, int order) {                                 \
        (void)order;                                                                                                             \
        return __atomic_fetch_sub(place, value, __ATOMIC_SEQ_CST);                                                               \
    }                                                                                                                            \
    a##bits __tsan_atomic##bits##_fetch_and(volatile a##bits *place, a##bits value, int order) {                                 \
        (void)order;                                                                                                             \
        return __atomic_fetch_and(place, value, __ATOMIC_SEQ_CST);                                                               \
    }                                                                                                                            \
    a##bits __tsan_atomic##bits##_fetch_or(volatile a##bits *place, a##bits value, int order) {                                  \
        (void)order;                                                                                                             \
        return __atomic_fetch_or(place, value, __ATOMIC_SEQ_CST);                                                                \
    }                                                                                                                            \
    a##bits __tsan_atomic##bits##_fetch_xor(volatile a##bits *place, a##bits value, int order) {                                 \
        (void)order;                                                                                                             \
        return __atomic_fetch_xor(place, value, __ATOMIC_SEQ_CST);                                                               \
    }                                                                                                                            \
    a##bits __tsan_atomic##bits##_compare_exchange_val(                                                                          \
        volatile a##bits *place, a##bits expected, a##bits desired, int order, int failure) {                                    \
        (void)order, (void)failure;                                                                                              \
        if (bits == 32) note_exchange((uint32_t)expected, (uint32_t)desired);                                                    \
        __atomic_compare_exchange_n(place, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                       \
        return expected;                                                                                                         \
    }

ATOMIC(8)
ATOMIC(16)
ATOMIC(32)
ATOMIC(64)

void __tsan_atomic_thread_fence(int order) {
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

// MARK: Accesses, which do not matter here

#define IGNORED(name)                                                                                                            \
    void __tsan_##name(void *place) { (void)place; }
#define ACCESSES(bytes)                                                                                                          \
    IGNORED(read##bytes)                                                                                                         \
    IGNORED(write##bytes)                                                                                                        \
    IGNORED(read_write##bytes)                                                                                                   \
    IGNORED(unaligned_read##bytes)                                                                                               \
    IGNORED(unaligned_write##bytes)                                                                                              \
    IGNORED(unaligned_read_write##bytes)

void __tsan_init(void) {}
void __tsan_func_exit(void) {}
void __tsan_ignore_thread_begin(void) {}
void __tsan_ignore_thread_end(void) {}
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)
IGNORED(vptr_read)
void __tsan_vptr_update(void **place, void *value) { (void)place, (void)value; }
void __tsan_external_write(void *place, void *caller, void *tag) { (void)place, (void)caller, (void)tag; }
void *__tsan_memcpy(void *to, const void *from, size_t count) { return memcpy(to, from, count); }
void *__tsan_memmove(void *to, const void *from, size_t count) { return memmove(to, from, count); }
void *__tsan_memset(void *place, int byte, size_t count) { return memset(place, byte, count); }
