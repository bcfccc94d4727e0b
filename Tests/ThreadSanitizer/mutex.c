// SPDX-License-Identifier: Apache-2.0

// Tells the thread sanitizer of Swift's Mutex, which on Linux it does not see as a whole.
//
// A Mutex that nobody else holds is taken and given back by an atomic operation, which the compiler puts into our code:
// the sanitizer sees that. One that is held is waited for, and handed on, by a function of libswiftSynchronization, which
// was not compiled for the sanitizer: to it, two threads that came one after the other by that way have raced. This
// library, preloaded by scripts/test-threads, takes the place of those functions, calls them, and says what they did.
//
// Their self is the address of the lock; Swift passes it in a register of its own (swift_context).

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *lock

// Absent in the processes that are not the tests, such as swift-test itself.
__attribute__((weak)) void __tsan_acquire(void *);
__attribute__((weak)) void __tsan_release(void *);

static void *next(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) {
        fprintf(stderr, "Tests/ThreadSanitizer/mutex.c: there is no %s\n", name);
        abort();
    }
    return function;
}

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slowly(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void lock_slowly(uint32_t thread, SELF) {
    static SWIFT void (*_Atomic real)(uint32_t, SELF);
    if (!real) real = (SWIFT void (*)(uint32_t, SELF))next(LOCK);
    real(thread, lock);
    if (__tsan_acquire) __tsan_acquire(lock);
}

SWIFT bool try_slowly(SELF) __asm__(TRY);
SWIFT bool try_slowly(SELF) {
    static SWIFT bool (*_Atomic real)(SELF);
    if (!real) real = (SWIFT bool (*)(SELF))next(TRY);
    bool is_locked = real(lock);
    if (is_locked && __tsan_acquire) __tsan_acquire(lock);
    return is_locked;
}

SWIFT void unlock_slowly(SELF) __asm__(UNLOCK);
SWIFT void unlock_slowly(SELF) {
    static SWIFT void (*_Atomic real)(SELF);
    if (!real) real = (SWIFT void (*)(SELF))next(UNLOCK);
    if (__tsan_release) __tsan_release(lock);
    real(lock);
}
