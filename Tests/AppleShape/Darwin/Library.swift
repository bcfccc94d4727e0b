// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals, TypeNamesShouldBeCapitalized

private import Glibc

// The manual page clock_gettime(3), and time.h: an enumeration in C, which Swift imports as a structure.
public struct clockid_t: RawRepresentable, Equatable, Sendable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }
}

public var CLOCK_MONOTONIC: clockid_t { clockid_t(rawValue: UInt32(Glibc.CLOCK_MONOTONIC)) }
public var CLOCK_REALTIME: clockid_t { clockid_t(rawValue: UInt32(Glibc.CLOCK_REALTIME)) }

@discardableResult public func clock_gettime(
    _ clock: clockid_t,
    _ time: UnsafeMutablePointer<DarwinStructures.timespec>!
) -> Int32 {
    // Linux has the same layout.
    time.withMemoryRebound(to: Glibc.timespec.self, capacity: 1) {
        Glibc.clock_gettime(Glibc.clockid_t(clock.rawValue), $0)
    }
}

// The manual pages free(3), memchr(3), memcmp(3) and fflush(3), and stdio.h.
public struct FILE {}

public func free(_ memory: UnsafeMutableRawPointer!) { Glibc.free(memory) }
@discardableResult public func memchr(
    _ bytes: UnsafeRawPointer!,
    _ byte: Int32,
    _ count: Int
) -> UnsafeMutableRawPointer! {
    Glibc.memchr(bytes, byte, count)
}
@discardableResult public func memcmp(_ bytes: UnsafeRawPointer!, _ other: UnsafeRawPointer!, _ count: Int) -> Int32 {
    Glibc.memcmp(bytes, other, count)
}
@discardableResult public func fflush(_ file: UnsafeMutablePointer<FILE>!) -> Int32 {
    precondition(file == nil, "the stand-in flushes all files only")
    return Glibc.fflush(nil)
}

// The manual page arc4random(3).
public func arc4random_buf(_ space: UnsafeMutableRawPointer!, _ count: Int) {
    precondition(Glibc.getentropy(space, count) == 0, "no random bytes")
}
