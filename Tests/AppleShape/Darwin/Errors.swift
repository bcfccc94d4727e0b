// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals

private import Glibc

// The manual page intro(2), and sys/errno.h.
public var errno: Int32 {
    get { Glibc.errno }
    set { Glibc.errno = newValue }
}
public var EACCES: Int32 { Glibc.EACCES }
public var EADDRINUSE: Int32 { Glibc.EADDRINUSE }
public var EADDRNOTAVAIL: Int32 { Glibc.EADDRNOTAVAIL }
public var EAGAIN: Int32 { Glibc.EAGAIN }
public var EBADF: Int32 { Glibc.EBADF }
public var ECONNREFUSED: Int32 { Glibc.ECONNREFUSED }
public var ECONNRESET: Int32 { Glibc.ECONNRESET }
public var EDQUOT: Int32 { Glibc.EDQUOT }
public var EEXIST: Int32 { Glibc.EEXIST }
public var EFBIG: Int32 { Glibc.EFBIG }
public var EHOSTDOWN: Int32 { Glibc.EHOSTDOWN }
public var EHOSTUNREACH: Int32 { Glibc.EHOSTUNREACH }
public var EINTR: Int32 { Glibc.EINTR }
public var EINVAL: Int32 { Glibc.EINVAL }
public var EIO: Int32 { Glibc.EIO }
public var EISDIR: Int32 { Glibc.EISDIR }
public var ELOOP: Int32 { Glibc.ELOOP }
public var EMFILE: Int32 { Glibc.EMFILE }
public var ENAMETOOLONG: Int32 { Glibc.ENAMETOOLONG }
public var ENETDOWN: Int32 { Glibc.ENETDOWN }
public var ENETUNREACH: Int32 { Glibc.ENETUNREACH }
public var ENFILE: Int32 { Glibc.ENFILE }
public var ENOENT: Int32 { Glibc.ENOENT }
public var ENOLCK: Int32 { Glibc.ENOLCK }
public var ENOMEM: Int32 { Glibc.ENOMEM }
public var ENOSPC: Int32 { Glibc.ENOSPC }
public var ENOTDIR: Int32 { Glibc.ENOTDIR }
public var EOPNOTSUPP: Int32 { Glibc.EOPNOTSUPP }
public var EPERM: Int32 { Glibc.EPERM }
public var EPIPE: Int32 { Glibc.EPIPE }
public var EROFS: Int32 { Glibc.EROFS }
public var ETIMEDOUT: Int32 { Glibc.ETIMEDOUT }
public var EWOULDBLOCK: Int32 { Glibc.EWOULDBLOCK }

// The manual page strerror(3).
@discardableResult public func strerror(_ code: Int32) -> UnsafeMutablePointer<CChar>! { Glibc.strerror(code) }
