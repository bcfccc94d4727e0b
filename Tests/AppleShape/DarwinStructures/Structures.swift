// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, TypeNamesShouldBeCapitalized

// The structures of Darwin that share their names with functions. Swift refuses both in one module.

/// The time of `stat` and of clocks.
///
/// See sys/_types/_timespec.h.
public struct timespec: Sendable {
    public var tv_sec: Int
    public var tv_nsec: Int

    public init(tv_sec: Int = 0, tv_nsec: Int = 0) { (self.tv_sec, self.tv_nsec) = (tv_sec, tv_nsec) }
}

/// The status of a file.
///
/// See the manual page stat(2), for 64-bit inodes. The fields that are not public complete the structure.
public struct stat: Sendable {
    public var st_dev: Int32 = 0
    public var st_mode: UInt16 = 0
    public var st_nlink: UInt16 = 0
    public var st_ino: UInt64 = 0
    public var st_uid: UInt32 = 0
    var st_gid: UInt32 = 0
    public var st_rdev: Int32 = 0
    var st_atimespec = timespec()
    public var st_mtimespec = timespec()
    var st_ctimespec = timespec()
    var st_birthtimespec = timespec()
    public var st_size: Int64 = 0
    public var st_blocks: Int64 = 0
    var st_blksize: Int32 = 0
    var st_flags: UInt32 = 0
    var st_gen: UInt32 = 0

    public init() {}
}
