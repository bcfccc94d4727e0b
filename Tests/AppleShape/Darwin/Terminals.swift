// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals, TypeNamesShouldBeCapitalized

private import Glibc

// The manual pages termios(4) and tcsetattr(3).
public var ECHO: Int32 { Glibc.ECHO }
public var ECHONL: Int32 { Glibc.ECHONL }
public var ICANON: Int32 { Glibc.ICANON }
public var IEXTEN: Int32 { Glibc.IEXTEN }
public var ISIG: Int32 { Glibc.ISIG }
public var TCSADRAIN: Int32 { Glibc.TCSADRAIN }
public var TCSAFLUSH: Int32 { Glibc.TCSAFLUSH }
public var VMIN: Int32 { Glibc.VMIN }
public var VQUIT: Int32 { Glibc.VQUIT }
public var VSUSP: Int32 { Glibc.VSUSP }
public var VTIME: Int32 { Glibc.VTIME }

public struct termios: Sendable {
    var c_iflag: tcflag_t = 0
    var c_oflag: tcflag_t = 0
    var c_cflag: tcflag_t = 0
    public var c_lflag: tcflag_t = 0
    public var c_cc = InlineArray<20, UInt8>(repeating: 0)  // in C, an array, which Swift imports as a tuple
    var c_ispeed: UInt = 0
    var c_ospeed: UInt = 0

    public init() {}
}

@discardableResult public func tcgetattr(_ descriptor: Int32, _ mode: UnsafeMutablePointer<termios>!) -> Int32 {
    var linux = Glibc.termios()
    guard Glibc.tcgetattr(descriptor, &linux) == 0 else { return -1 }
    (mode.pointee.c_iflag, mode.pointee.c_oflag) = (tcflag_t(linux.c_iflag), tcflag_t(linux.c_oflag))
    (mode.pointee.c_cflag, mode.pointee.c_lflag) = (tcflag_t(linux.c_cflag), tcflag_t(linux.c_lflag))
    (mode.pointee.c_ispeed, mode.pointee.c_ospeed) = (UInt(linux.c_ispeed), UInt(linux.c_ospeed))
    withUnsafeBytes(of: linux.c_cc) { characters in
        for index in mode.pointee.c_cc.indices { mode.pointee.c_cc[index] = characters[index] }
    }
    return 0
}
@discardableResult public func tcsetattr(_ descriptor: Int32, _ when: Int32, _ mode: UnsafePointer<termios>!) -> Int32 {
    var linux = Glibc.termios()
    _ = Glibc.tcgetattr(descriptor, &linux)  // has more characters
    (linux.c_iflag, linux.c_oflag) = (UInt32(mode.pointee.c_iflag), UInt32(mode.pointee.c_oflag))
    (linux.c_cflag, linux.c_lflag) = (UInt32(mode.pointee.c_cflag), UInt32(truncatingIfNeeded: mode.pointee.c_lflag))
    (linux.c_ispeed, linux.c_ospeed) = (UInt32(mode.pointee.c_ispeed), UInt32(mode.pointee.c_ospeed))
    withUnsafeMutableBytes(of: &linux.c_cc) { characters in
        for index in mode.pointee.c_cc.indices { characters[index] = mode.pointee.c_cc[index] }
    }
    return Glibc.tcsetattr(descriptor, when, &linux)
}

// The manual pages isatty(3), ioctl(2) and tty(4). Swift cannot import TIOCGWINSZ, nor a function with a variable number of
// arguments, so the module has them in Swift (TiocConstants.swift and Platform.swift in the repository of Swift).
public var TIOCGWINSZ: UInt { UInt(Glibc.TIOCGWINSZ) }

public struct winsize: Sendable {
    public var ws_row: UInt16 = 0
    public var ws_col: UInt16 = 0
    var ws_xpixel: UInt16 = 0
    var ws_ypixel: UInt16 = 0

    public init() {}
}

@discardableResult public func ioctl(_ fd: Int32, _ request: UInt, _ ptr: UnsafeMutableRawPointer) -> Int32 {
    Glibc.ioctl(fd, request, ptr)
}
@discardableResult public func isatty(_ descriptor: Int32) -> Int32 { Glibc.isatty(descriptor) }

// The manual page grantpt(3). On Linux, the functions are requests of `ioctl`; see ioctl_tty(2) there.
@discardableResult public func grantpt(_ descriptor: Int32) -> Int32 { 0 }
@discardableResult public func unlockpt(_ descriptor: Int32) -> Int32 {
    var lock: Int32 = 0
    return Glibc.ioctl(descriptor, 0x4004_5431, &lock)
}
@discardableResult public func ptsname(_ descriptor: Int32) -> UnsafeMutablePointer<CChar>! {
    var number: UInt32 = 0
    guard Glibc.ioctl(descriptor, 0x8004_5430, &number) == 0 else { return nil }
    return Glibc.strdup("/dev/pts/\(number)")
}
