// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals, TypeNamesShouldBeCapitalized

private import Glibc

// The manual pages open(2), close(2), read(2), write(2), lseek(2), ftruncate(2), fsync(2), dup(2) and pipe(2). Swift cannot
// import functions with a variable number of arguments, so the module has overloads of `open`, `openat` and `fcntl`
// (Platform.swift in the repository of Swift).
public var O_APPEND: Int32 { Glibc.O_APPEND }
public var O_CLOEXEC: Int32 { Glibc.O_CLOEXEC }
public var O_CREAT: Int32 { Glibc.O_CREAT }
public var O_DIRECTORY: Int32 { Glibc.O_DIRECTORY }
public var O_EXCL: Int32 { Glibc.O_EXCL }
public var O_NOCTTY: Int32 { Glibc.O_NOCTTY }
public var O_NOFOLLOW: Int32 { Glibc.O_NOFOLLOW }
public var O_NONBLOCK: Int32 { Glibc.O_NONBLOCK }
public var O_RDONLY: Int32 { Glibc.O_RDONLY }
public var O_RDWR: Int32 { Glibc.O_RDWR }
public var O_TRUNC: Int32 { Glibc.O_TRUNC }
public var O_WRONLY: Int32 { Glibc.O_WRONLY }
public var SEEK_END: Int32 { Glibc.SEEK_END }
public var SEEK_SET: Int32 { Glibc.SEEK_SET }
public var AT_FDCWD: Int32 { Glibc.AT_FDCWD }

@discardableResult public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { Glibc.open(path, oflag) }
@discardableResult public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 {
    Glibc.open(path, oflag, Glibc.mode_t(mode))
}
@discardableResult public func openat(
    _ fd: Int32,
    _ path: UnsafePointer<CChar>,
    _ oflag: Int32,
    _ mode: mode_t
) -> Int32 {
    Glibc.openat(fd, path, oflag, Glibc.mode_t(mode))
}
@discardableResult public func close(_ descriptor: Int32) -> Int32 { Glibc.close(descriptor) }
@discardableResult public func read(_ descriptor: Int32, _ space: UnsafeMutableRawPointer!, _ count: Int) -> Int {
    Glibc.read(descriptor, space, count)
}
@discardableResult public func pread(
    _ descriptor: Int32,
    _ space: UnsafeMutableRawPointer!,
    _ count: Int,
    _ offset: off_t
) -> Int {
    Glibc.pread(descriptor, space, count, Glibc.off_t(offset))
}
@discardableResult public func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer!, _ count: Int) -> Int {
    Glibc.write(descriptor, bytes, count)
}
@discardableResult public func lseek(_ descriptor: Int32, _ offset: off_t, _ from: Int32) -> off_t {
    off_t(Glibc.lseek(descriptor, Glibc.off_t(offset), from))
}
@discardableResult public func ftruncate(_ descriptor: Int32, _ length: off_t) -> Int32 {
    Glibc.ftruncate(descriptor, Glibc.off_t(length))
}
@discardableResult public func fsync(_ descriptor: Int32) -> Int32 { Glibc.fsync(descriptor) }
@discardableResult public func dup(_ descriptor: Int32) -> Int32 { Glibc.dup(descriptor) }
@discardableResult public func dup2(_ descriptor: Int32, _ other: Int32) -> Int32 { Glibc.dup2(descriptor, other) }
@discardableResult public func pipe(_ ends: UnsafeMutablePointer<Int32>!) -> Int32 { Glibc.pipe(ends) }

// The manual page writev(2), and sys/uio.h. pwritev is there since macOS 11 and iOS 14.
public struct iovec {
    public var iov_base: UnsafeMutableRawPointer!
    public var iov_len: Int

    public init(iov_base: UnsafeMutableRawPointer!, iov_len: Int) {
        (self.iov_base, self.iov_len) = (iov_base, iov_len)
    }
}

@discardableResult public func writev(_ descriptor: Int32, _ vectors: UnsafePointer<iovec>!, _ count: Int32) -> Int {
    withVectors(vectors, count) { Glibc.writev(descriptor, $0, count) }
}
@discardableResult public func pwritev(
    _ descriptor: Int32,
    _ vectors: UnsafePointer<iovec>!,
    _ count: Int32,
    _ offset: off_t
) -> Int {
    withVectors(vectors, count) { Glibc.pwritev(descriptor, $0, count, Glibc.off_t(offset)) }
}

/// Calls a closure with Linux's structures, which have the same layout.
private func withVectors(
    _ vectors: UnsafePointer<iovec>,
    _ count: Int32,
    _ body: (UnsafePointer<Glibc.iovec>) -> Int
) -> Int {
    vectors.withMemoryRebound(to: Glibc.iovec.self, capacity: Int(count), body)
}

// The manual page flock(2).
public var LOCK_EX: Int32 { Glibc.LOCK_EX }
public var LOCK_NB: Int32 { Glibc.LOCK_NB }
public var LOCK_UN: Int32 { Glibc.LOCK_UN }

@discardableResult public func flock(_ descriptor: Int32, _ operation: Int32) -> Int32 {
    linuxLock(descriptor, operation)
}

// The manual page fcntl(2).
public var FD_CLOEXEC: Int32 { Glibc.FD_CLOEXEC }
public var F_GETFD: Int32 { Glibc.F_GETFD }
public var F_SETFD: Int32 { Glibc.F_SETFD }
public var F_SETFL: Int32 { Glibc.F_SETFL }
public var F_PREALLOCATE: Int32 { 42 }
public var F_FULLFSYNC: Int32 { 51 }
public var F_ALLOCATEALL: Int32 { 0x4 }
public var F_PEOFPOSMODE: Int32 { 3 }

public struct fstore_t: Sendable {
    public var fst_flags: UInt32 = 0
    public var fst_posmode: Int32 = 0
    var fst_offset: off_t = 0
    public var fst_length: off_t = 0
    var fst_bytesalloc: off_t = 0

    public init() {}
}

@discardableResult public func fcntl(_ fd: Int32, _ cmd: Int32) -> Int32 {
    cmd == F_FULLFSYNC ? Glibc.fsync(fd) : Glibc.fcntl(fd, cmd)
}
@discardableResult public func fcntl(_ fd: Int32, _ cmd: Int32, _ value: Int32) -> Int32 { Glibc.fcntl(fd, cmd, value) }
@discardableResult public func fcntl(_ fd: Int32, _ cmd: Int32, _ ptr: UnsafeMutableRawPointer) -> Int32 {
    guard cmd == F_PREALLOCATE else { return Glibc.fcntl(fd, cmd, ptr) }
    let request = ptr.assumingMemoryBound(to: fstore_t.self).pointee
    precondition(request.fst_posmode == F_PEOFPOSMODE, "the stand-in reserves space at the end only")
    var status = Glibc.stat()
    guard Glibc.fstat(fd, &status) == 0 else { return -1 }
    // The flag is FALLOC_FL_KEEP_SIZE.
    return linuxAllocate(fd, 1, 0, Int(status.st_blocks) * 512 + Int(request.fst_length))
}
