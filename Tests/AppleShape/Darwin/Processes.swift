// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals, TypeNamesShouldBeCapitalized

private import Glibc

// The manual pages exit(3), _exit(2), getuid(2), getpid(2) and sysconf(3).
public var _SC_PAGESIZE: Int32 { Int32(Glibc._SC_PAGESIZE) }

public func exit(_ code: Int32) -> Never { Glibc.exit(code) }
public func _exit(_ code: Int32) -> Never { Glibc._exit(code) }
@discardableResult public func geteuid() -> uid_t { Glibc.geteuid() }
@discardableResult public func getpid() -> pid_t { Glibc.getpid() }
@discardableResult public func sysconf(_ name: Int32) -> Int { Glibc.sysconf(name) }

// The manual page getrlimit(2).
public var RLIMIT_FSIZE: Int32 { Int32(Glibc.RLIMIT_FSIZE.rawValue) }
public var RLIMIT_NOFILE: Int32 { Int32(Glibc.RLIMIT_NOFILE.rawValue) }

public struct rlimit: Sendable {
    public var rlim_cur: rlim_t = 0
    var rlim_max: rlim_t = 0

    public init() {}
}

@discardableResult public func getrlimit(_ resource: Int32, _ limit: UnsafeMutablePointer<rlimit>!) -> Int32 {
    var linux = Glibc.rlimit()
    let result = Glibc.getrlimit(__rlimit_resource_t(UInt32(resource)), &linux)
    (limit.pointee.rlim_cur, limit.pointee.rlim_max) = (rlim_t(linux.rlim_cur), rlim_t(linux.rlim_max))
    return result
}
@discardableResult public func setrlimit(_ resource: Int32, _ limit: UnsafePointer<rlimit>!) -> Int32 {
    var linux = Glibc.rlimit()
    (linux.rlim_cur, linux.rlim_max) = (Glibc.rlim_t(limit.pointee.rlim_cur), Glibc.rlim_t(limit.pointee.rlim_max))
    return Glibc.setrlimit(__rlimit_resource_t(UInt32(resource)), &linux)
}

// The manual pages signal(3), sigsetops(3), pthread_sigmask(2) and kill(2).
public var SIGCONT: Int32 { Glibc.SIGCONT }
public var SIGHUP: Int32 { Glibc.SIGHUP }
public var SIGINT: Int32 { Glibc.SIGINT }
public var SIGKILL: Int32 { Glibc.SIGKILL }
public var SIGPIPE: Int32 { Glibc.SIGPIPE }
public var SIGTERM: Int32 { Glibc.SIGTERM }
public var SIGXFSZ: Int32 { Glibc.SIGXFSZ }
public var SIG_DFL: sig_t? { nil }
public var SIG_IGN: sig_t { unsafeBitCast(1, to: sig_t.self) }
public var SIG_SETMASK: Int32 { Glibc.SIG_SETMASK }

@discardableResult public func signal(_ number: Int32, _ handler: sig_t!) -> sig_t! { Glibc.signal(number, handler) }
@discardableResult public func sigemptyset(_ signals: UnsafeMutablePointer<sigset_t>!) -> Int32 {
    signals.pointee = 0
    return 0
}
@discardableResult public func pthread_sigmask(
    _ how: Int32,
    _ signals: UnsafePointer<sigset_t>!,
    _ old: UnsafeMutablePointer<sigset_t>!
) -> Int32 {
    var (linux, before) = (Glibc.sigset_t(), Glibc.sigset_t())
    Glibc.sigemptyset(&linux)
    for number in Int32(1)...31 where signals.pointee >> (UInt32(number) - 1) & 1 == 1 {
        Glibc.sigaddset(&linux, number)
    }
    let result = Glibc.pthread_sigmask(how, &linux, &before)
    old?.pointee = (Int32(1)...31).reduce(0) { set, number in
        set | (Glibc.sigismember(&before, number) == 1 ? 1 << (UInt32(number) - 1) : 0)
    }
    return result
}
@discardableResult public func kill(_ process: pid_t, _ number: Int32) -> Int32 { Glibc.kill(process, number) }

// pthread.h, whose pointers are not optional unless it says so, and the manual page sched_yield(2).
public struct _opaque_pthread_t {}

public struct pthread_attr_t: Sendable {
    var stackByteCount = 0
    var __opaque = InlineArray<7, Int>(repeating: 0)
}

@discardableResult public func pthread_attr_init(_ attributes: UnsafeMutablePointer<pthread_attr_t>) -> Int32 {
    attributes.initialize(to: pthread_attr_t())
    return 0
}
@discardableResult public func pthread_attr_destroy(_ attributes: UnsafeMutablePointer<pthread_attr_t>) -> Int32 { 0 }
@discardableResult public func pthread_attr_setstacksize(
    _ attributes: UnsafeMutablePointer<pthread_attr_t>,
    _ byteCount: Int
) -> Int32 {
    attributes.pointee.stackByteCount = byteCount
    return 0
}
@discardableResult public func pthread_create(
    _ thread: UnsafeMutablePointer<pthread_t?>,
    _ attributes: UnsafePointer<pthread_attr_t>?,
    _ run: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    typealias Run = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    var (linux, number) = (Glibc.pthread_attr_t(), Glibc.pthread_t())
    guard Glibc.pthread_attr_init(&linux) == 0 else { return Glibc.ENOMEM }
    defer { Glibc.pthread_attr_destroy(&linux) }
    if let byteCount = attributes?.pointee.stackByteCount { Glibc.pthread_attr_setstacksize(&linux, byteCount) }
    let result = Glibc.pthread_create(&number, &linux, unsafeBitCast(run, to: Run.self), argument)
    thread.pointee = pthread_t(bitPattern: UInt(number))
    return result
}
@discardableResult public func pthread_detach(_ thread: pthread_t) -> Int32 {
    Glibc.pthread_detach(Glibc.pthread_t(UInt(bitPattern: thread)))
}
@discardableResult public func pthread_self() -> pthread_t {
    guard let thread = pthread_t(bitPattern: UInt(Glibc.pthread_self())) else { preconditionFailure("no thread") }
    return thread
}
public typealias pthread_key_t = UInt
@discardableResult public func pthread_key_create(
    _ key: UnsafeMutablePointer<pthread_key_t>,
    _ destroy: (@convention(c) (UnsafeMutableRawPointer) -> Void)?
) -> Int32 {
    typealias Destroy = @convention(c) (UnsafeMutableRawPointer?) -> Void
    var number = Glibc.pthread_key_t()
    let result = Glibc.pthread_key_create(&number, unsafeBitCast(destroy, to: Destroy?.self))
    key.pointee = pthread_key_t(number)
    return result
}
public func pthread_getspecific(_ key: pthread_key_t) -> UnsafeMutableRawPointer? {
    Glibc.pthread_getspecific(Glibc.pthread_key_t(key))
}
@discardableResult public func pthread_setspecific(_ key: pthread_key_t, _ value: UnsafeRawPointer?) -> Int32 {
    Glibc.pthread_setspecific(Glibc.pthread_key_t(key), value)
}
@discardableResult public func sched_yield() -> Int32 { Glibc.sched_yield() }
