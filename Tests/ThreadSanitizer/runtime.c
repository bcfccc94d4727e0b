// SPDX-License-Identifier: Apache-2.0

// Tells the thread sanitizer about synchronization in Swift's runtime that the runtime does not report itself.
// scripts/test-threads links this file with the tests.
//
// The libraries of the toolchain were not compiled for the sanitizer. If such a library synchronizes two threads, the
// sanitizer sees a race, unless the library reports the synchronization. The runtime of tasks reports most of it. Each
// function here replaces a function of a library, calls the original, and reports what it did.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SWIFT __attribute__((swiftcall))
#define SWIFT_ASYNC __attribute__((swiftasynccall))

void __tsan_acquire(void *);
void __tsan_release(void *);

static void *next(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) {
        fprintf(stderr, "Tests/ThreadSanitizer/runtime.c: there is no %s\n", name);
        abort();
    }
    return function;
}

// MARK: Mutex
//
// A free Mutex is locked and unlocked with an atomic operation, which the compiler inlines into our code, so the sanitizer
// sees the operation. If another thread has locked the Mutex, these functions of libswiftSynchronization wait for it and
// pass it on. Their `self` is the address of the lock, which Swift passes in a separate register (swift_context).

#define SELF __attribute__((swift_context)) void *lock
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slowly(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void lock_slowly(uint32_t thread, SELF) {
    static SWIFT void (*_Atomic real)(uint32_t, SELF);
    if (!real) real = (SWIFT void (*)(uint32_t, SELF))next(LOCK);
    real(thread, lock);
    __tsan_acquire(lock);
}

SWIFT bool try_slowly(SELF) __asm__(TRY);
SWIFT bool try_slowly(SELF) {
    static SWIFT bool (*_Atomic real)(SELF);
    if (!real) real = (SWIFT bool (*)(SELF))next(TRY);
    bool is_locked = real(lock);
    if (is_locked) __tsan_acquire(lock);
    return is_locked;
}

SWIFT void unlock_slowly(SELF) __asm__(UNLOCK);
SWIFT void unlock_slowly(SELF) {
    static SWIFT void (*_Atomic real)(SELF);
    if (!real) real = (SWIFT void (*)(SELF))next(UNLOCK);
    __tsan_release(lock);
    real(lock);
}

// MARK: Continuations
//
// The runtime reports the resumption of a continuation (a release), and a task that continues as a job (an acquisition). If
// the continuation is already resumed, the task continues at once, and the runtime does not report that. Here, each
// continuation therefore continues in a function that reports the acquisition. A table keeps the function that must run
// next.

typedef struct Context Context;
typedef SWIFT_ASYNC void Resume(__attribute__((swift_async_context)) Context *);
struct Context { // the compiler's layout: AsyncContext in swift/ABI/Task.h
    Context *parent;
    Resume *resume;
};

SWIFT void *swift_task_getCurrent(void);

typedef struct Entry Entry;
struct Entry {
    Context *context; // NULL if the entry is free
    Resume *resume;
    Entry *next;
};

enum { lists = 4096 };
static struct {
    atomic_flag is_locked; // not a pthread mutex: the sanitizer would see its synchronization, and miss races
    Entry *first;
} suspended[lists];

// Stores `resume` as the function that continues after `context`; if `resume` is NULL, returns and removes the stored one.
static Resume *exchange(Context *context, Resume *resume) {
    size_t index = ((uintptr_t)context >> 4) % lists;
    while (atomic_flag_test_and_set(&suspended[index].is_locked)) sched_yield();
    Entry *entry = NULL;
    for (Entry *each = suspended[index].first; each; each = each->next) {
        if (each->context == context) {
            entry = each;
            break;
        }
        if (!each->context) entry = each;
    }
    if (!entry) {
        entry = calloc(1, sizeof *entry);
        if (!entry) abort();
        entry->next = suspended[index].first;
        suspended[index].first = entry;
    }
    if (resume) {
        entry->resume = resume;
        entry->context = context;
    } else {
        entry->context = NULL;
    }
    resume = entry->resume;
    atomic_flag_clear(&suspended[index].is_locked);
    return resume;
}

static SWIFT_ASYNC void go_on(__attribute__((swift_async_context)) Context *context) {
    __tsan_acquire(swift_task_getCurrent());
    Resume *resume = exchange(context, NULL);
    __attribute__((musttail)) return resume(context);
}

SWIFT void *swift_continuation_init(Context *context, uintptr_t flags) {
    static SWIFT void *(*_Atomic real)(Context *, uintptr_t);
    if (!real) real = (SWIFT void *(*)(Context *, uintptr_t))next("swift_continuation_init");
    exchange(context, context->resume);
    context->resume = go_on;
    return real(context, flags);
}

// MARK: Addresses of nothing
//
// If a value is passed inout to a function that is generic over the value's type, the compiler reports an access to the
// value's address. A value without a size, such as a SystemRandomNumberGenerator, has no address, so the reported address
// may be that of anything. The build lists the functions that are generic over a generator. Accesses in these functions
// are not reported.

extern char __executable_start[];
static struct {
    uintptr_t begin, end;
} generic[1024];
static size_t generic_count;

__attribute__((constructor)) static void read_list(void) {
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof ".generators");
    if (length < 0) abort();
    strcpy(path + length, ".generators");
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        abort();
    }
    unsigned long begin, size;
    while (fscanf(file, "%lx %lx", &begin, &size) == 2) {
        if (generic_count == sizeof generic / sizeof *generic) abort();
        generic[generic_count].begin = (uintptr_t)__executable_start + begin;
        generic[generic_count++].end = (uintptr_t)__executable_start + begin + size;
    }
    fclose(file);
}

void __real___tsan_external_write(void *address, void *caller, void *tag);
void __wrap___tsan_external_write(void *address, void *caller, void *tag) {
    uintptr_t function = (uintptr_t)__builtin_return_address(0);
    for (size_t index = 0; index < generic_count; index++) {
        if (generic[index].begin <= function && function < generic[index].end) return;
    }
    __attribute__((musttail)) return __real___tsan_external_write(address, caller, tag);
}
