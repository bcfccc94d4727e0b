// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals, TypeNamesShouldBeCapitalized

private import Glibc

// The manual page stat(2).
public var S_IFCHR: mode_t { mode_t(Glibc.S_IFCHR) }
public var S_IFDIR: mode_t { mode_t(Glibc.S_IFDIR) }
public var S_IFLNK: mode_t { mode_t(Glibc.S_IFLNK) }
public var S_IFMT: mode_t { mode_t(Glibc.S_IFMT) }
public var S_IFREG: mode_t { mode_t(Glibc.S_IFREG) }
public var AT_SYMLINK_NOFOLLOW: Int32 { Glibc.AT_SYMLINK_NOFOLLOW }

@discardableResult public func stat(
    _ path: UnsafePointer<CChar>!,
    _ status: UnsafeMutablePointer<DarwinStructures.stat>!
) -> Int32 {
    Status.get(status) { Glibc.fstatat(Glibc.AT_FDCWD, path, $0, 0) }
}
@discardableResult public func lstat(
    _ path: UnsafePointer<CChar>!,
    _ status: UnsafeMutablePointer<DarwinStructures.stat>!
) -> Int32 {
    Status.get(status) { Glibc.lstat(path, $0) }
}
@discardableResult public func fstat(
    _ descriptor: Int32,
    _ status: UnsafeMutablePointer<DarwinStructures.stat>!
) -> Int32 {
    Status.get(status) { Glibc.fstat(descriptor, $0) }
}
@discardableResult public func fstatat(
    _ folder: Int32,
    _ path: UnsafePointer<CChar>!,
    _ status: UnsafeMutablePointer<DarwinStructures.stat>!,
    _ flags: Int32
) -> Int32 {
    Status.get(status) { Glibc.fstatat(folder, path, $0, flags) }
}

private enum Status {
    static func get(
        _ status: UnsafeMutablePointer<DarwinStructures.stat>,
        _ body: (UnsafeMutablePointer<Glibc.stat>) -> Int32
    ) -> Int32 {
        var linux = Glibc.stat()
        let result = body(&linux)
        guard result == 0 else { return result }
        status.pointee.st_dev = Int32(truncatingIfNeeded: linux.st_dev)
        status.pointee.st_mode = mode_t(truncatingIfNeeded: linux.st_mode)
        status.pointee.st_nlink = UInt16(truncatingIfNeeded: linux.st_nlink)
        status.pointee.st_ino = UInt64(linux.st_ino)
        status.pointee.st_uid = linux.st_uid
        status.pointee.st_rdev = Int32(truncatingIfNeeded: linux.st_rdev)
        status.pointee.st_mtimespec.tv_sec = linux.st_mtim.tv_sec
        status.pointee.st_mtimespec.tv_nsec = linux.st_mtim.tv_nsec
        status.pointee.st_size = Int64(linux.st_size)
        status.pointee.st_blocks = Int64(linux.st_blocks)
        return 0
    }
}

// The manual pages chmod(2), chown(2), umask(2) and utimensat(2).
@discardableResult public func fchmod(_ descriptor: Int32, _ mode: mode_t) -> Int32 {
    Glibc.fchmod(descriptor, Glibc.mode_t(mode))
}
@discardableResult public func chown(_ path: UnsafePointer<CChar>!, _ owner: uid_t, _ group: gid_t) -> Int32 {
    Glibc.chown(path, owner, group)
}
@discardableResult public func lchown(_ path: UnsafePointer<CChar>!, _ owner: uid_t, _ group: gid_t) -> Int32 {
    Glibc.lchown(path, owner, group)
}
@discardableResult public func umask(_ mask: mode_t) -> mode_t {
    mode_t(truncatingIfNeeded: Glibc.umask(Glibc.mode_t(mask)))
}
@discardableResult public func futimens(
    _ descriptor: Int32,
    _ times: UnsafePointer<DarwinStructures.timespec>!
) -> Int32 {
    withTimes(times) { Glibc.futimens(descriptor, $0) }
}
@discardableResult public func utimensat(
    _ folder: Int32,
    _ path: UnsafePointer<CChar>!,
    _ times: UnsafePointer<DarwinStructures.timespec>!,
    _ flags: Int32
) -> Int32 {
    withTimes(times) { Glibc.utimensat(folder, path, $0, flags) }
}

/// Calls a closure with the times of access and of modification, for which Linux has the same layout.
private func withTimes(
    _ times: UnsafePointer<DarwinStructures.timespec>?,
    _ body: (UnsafePointer<Glibc.timespec>?) -> Int32
) -> Int32 {
    guard let times else { return body(nil) }
    return times.withMemoryRebound(to: Glibc.timespec.self, capacity: 2) { body($0) }
}

// The manual pages link(2), symlink(2), readlink(2), rename(2), unlink(2), mkdir(2), mkfifo(2) and realpath(3).
@discardableResult public func link(_ path: UnsafePointer<CChar>!, _ newPath: UnsafePointer<CChar>!) -> Int32 {
    Glibc.link(path, newPath)
}
@discardableResult public func linkat(
    _ folder: Int32,
    _ path: UnsafePointer<CChar>!,
    _ newFolder: Int32,
    _ newPath: UnsafePointer<CChar>!,
    _ flags: Int32
) -> Int32 {
    Glibc.linkat(folder, path, newFolder, newPath, flags)
}
@discardableResult public func symlink(_ target: UnsafePointer<CChar>!, _ path: UnsafePointer<CChar>!) -> Int32 {
    Glibc.symlink(target, path)
}
@discardableResult public func readlink(
    _ path: UnsafePointer<CChar>!,
    _ text: UnsafeMutablePointer<CChar>!,
    _ count: Int
) -> Int {
    Glibc.readlink(path, text, count)
}
@discardableResult public func rename(_ path: UnsafePointer<CChar>!, _ newPath: UnsafePointer<CChar>!) -> Int32 {
    Glibc.rename(path, newPath)
}
@discardableResult public func renameat(
    _ folder: Int32,
    _ path: UnsafePointer<CChar>!,
    _ newFolder: Int32,
    _ newPath: UnsafePointer<CChar>!
) -> Int32 {
    Glibc.renameat(folder, path, newFolder, newPath)
}
@discardableResult public func unlink(_ path: UnsafePointer<CChar>!) -> Int32 { Glibc.unlink(path) }
@discardableResult public func unlinkat(_ folder: Int32, _ path: UnsafePointer<CChar>!, _ flags: Int32) -> Int32 {
    Glibc.unlinkat(folder, path, flags)
}
@discardableResult public func mkdir(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 {
    Glibc.mkdir(path, Glibc.mode_t(mode))
}
@discardableResult public func mkdirat(_ folder: Int32, _ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 {
    Glibc.mkdirat(folder, path, Glibc.mode_t(mode))
}
@discardableResult public func mkfifo(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 {
    Glibc.mkfifo(path, Glibc.mode_t(mode))
}
@discardableResult public func realpath(
    _ path: UnsafePointer<CChar>!,
    _ space: UnsafeMutablePointer<CChar>!
) -> UnsafeMutablePointer<CChar>! {
    Glibc.realpath(path, space)
}

// The manual page pathconf(2), and sys/syslimits.h.
public var PATH_MAX: Int32 { 1024 }
public var _PC_NAME_MAX: Int32 { Int32(Glibc._PC_NAME_MAX) }
public var _PC_VDISABLE: Int32 { Int32(Glibc._PC_VDISABLE) }

@discardableResult public func pathconf(_ path: UnsafePointer<CChar>!, _ name: Int32) -> Int {
    Glibc.pathconf(path, name)
}
@discardableResult public func fpathconf(_ descriptor: Int32, _ name: Int32) -> Int {
    Glibc.fpathconf(descriptor, name)
}

// The manual page statfs(2). It says here that a file is local unless it is on one of the usual network file systems.
public var MNT_LOCAL: Int32 { 0x1000 }

public struct statfs: Sendable {
    public var f_flags: UInt32 = 0

    public init() {}
}

@discardableResult public func fstatfs(_ descriptor: Int32, _ status: UnsafeMutablePointer<statfs>!) -> Int32 {
    var kind: UInt32 = 0
    let result = withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { space in
        guard let linux = space.baseAddress else { return Int32(-1) }
        defer { kind = UInt32(truncatingIfNeeded: linux.load(as: Int.self)) }
        return linuxStatus(ofFileSystem: descriptor, linux)
    }
    guard result == 0 else { return -1 }
    let remote: [UInt32] = [0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x6573_5546]  // NFS, SMB, CIFS, SMB2, FUSE
    let isLocal = !remote.contains(kind)
    status.pointee.f_flags = isLocal ? UInt32(MNT_LOCAL) : 0
    return 0
}

// The manual page directory(3), and sys/dirent.h.
public struct dirent: Sendable {
    var d_ino: UInt64 = 0
    var d_seekoff: UInt64 = 0
    var d_reclen: UInt16 = 0
    var d_namlen: UInt16 = 0
    var d_type: UInt8 = 0
    public var d_name = InlineArray<1024, CChar>(repeating: 0)  // in C, an array, which Swift imports as a tuple
}

public struct DIR {
    var stream: OpaquePointer
    var entry = dirent()
}

@discardableResult public func fdopendir(_ descriptor: Int32) -> UnsafeMutablePointer<DIR>! {
    guard let stream = Glibc.fdopendir(descriptor) else { return nil }
    let folder = UnsafeMutablePointer<DIR>.allocate(capacity: 1)
    folder.initialize(to: DIR(stream: stream))
    return folder
}
@discardableResult public func closedir(_ folder: UnsafeMutablePointer<DIR>!) -> Int32 {
    defer { folder.deallocate() }
    return Glibc.closedir(folder.pointee.stream)
}
@discardableResult public func readdir(_ folder: UnsafeMutablePointer<DIR>!) -> UnsafeMutablePointer<dirent>! {
    guard let entry = Glibc.readdir(folder.pointee.stream),
        let from = MemoryLayout<Glibc.dirent>.offset(of: \.d_name), let to = MemoryLayout<dirent>.offset(of: \.d_name),
        let place = MemoryLayout<DIR>.offset(of: \.entry)
    else { return nil }
    let name = UnsafeRawPointer(entry).advanced(by: from).assumingMemoryBound(to: CChar.self)
    let result = UnsafeMutableRawPointer(folder).advanced(by: place)
    result.advanced(by: to).copyMemory(from: name, byteCount: Glibc.strlen(name) + 1)
    return result.assumingMemoryBound(to: dirent.self)
}
