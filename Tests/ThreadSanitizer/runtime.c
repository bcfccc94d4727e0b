// SPDX-License-Identifier: Apache-2.0

// Tells the thread sanitizer of what Swift's runtime does and does not say. Linked with the tests by scripts/test-threads.
//
// The libraries of the toolchain were not compiled for the sanitizer. Two threads that one of them has put in order have
// raced, to the sanitizer, unless the library tells it, as the runtime of tasks does for most of what it does. Each
// function here takes the place of one of theirs, calls it, and says what it did.

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
// A Mutex that nobody else holds is taken and given back by an atomic operation, which the compiler puts into our code:
// the sanitizer sees that. One that is held is waited for, and handed on, by these functions of libswiftSynchronization.
// Their self is the address of the lock; Swift passes it in a register of its own (swift_context).

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
// The runtime tells of a resumption (a release of the task), and of a task that goes on as a job (an acquisition). A task
// that finds its continuation already resumed goes on at once, and of that it does not tell. So each continuation goes on
// by way of a function that does; the one that was to go on is kept in a table until then.

typedef struct Context Context;
typedef SWIFT_ASYNC void Resume(__attribute__((swift_async_context)) Context *);
struct Context { // as the compiler lays it out: AsyncContext in swift/ABI/Task.h
    Context *parent;
    Resume *resume;
};

SWIFT void *swift_task_getCurrent(void);

typedef struct Entry Entry;
struct Entry {
    Context *context; // NULL where it can be used again
    Resume *resume;
    Entry *next;
};

enum { lists = 4096 };
static struct {
    atomic_flag is_locked; // not a pthread mutex: the sanitizer would see that, and put in order what is not
    Entry *first;
} suspended[lists];

// What goes on after the context: `resume` from now on, or if that is NULL what was kept, which then is no longer.
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
// The compiler tells the sanitizer of each value that is passed inout to a function that is generic over its type. A
// value without a size, such as a SystemRandomNumberGenerator, has no address, and what stands in its place may be
// anything. The build lists the functions that are generic over a generator; of those, nothing is told.

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
