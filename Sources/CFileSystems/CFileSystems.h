// SPDX-License-Identifier: Apache-2.0

#ifndef TERN_CFILESYSTEMS_H
#define TERN_CFILESYSTEMS_H

#if defined(__linux__)
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/// Reads what the system has in memory, without waiting for the disk: preadv2 with RWF_NOWAIT.
///
/// The C libraries declare preadv2 only with _GNU_SOURCE, so this calls the system itself.
static inline ssize_t CFileSystems_readCached(int descriptor, void *space, size_t byte_count, off_t offset) {
    struct {
        void *base;
        size_t byte_count;
    } vector = {space, byte_count};
    long low = (long)offset, high = sizeof(long) < sizeof(off_t) ? (long)(offset >> 32) : 0;
    return syscall(SYS_preadv2, descriptor, &vector, 1L, low, high, 0x8L /* RWF_NOWAIT */);
}
#endif

#endif
