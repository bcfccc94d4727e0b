// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, TypeNamesShouldBeCapitalized

// A stand-in for the module Darwin of Apple platforms: what the sources and the tests use of it, with Darwin's names and
// types. Each function calls Linux's and converts what differs, so that a program works.
//
// A constant has Darwin's type. It has Linux's value if Linux has the constant, because the system of Linux gets it, and
// because swift-nio and Foundation return the error codes of Linux. Other constants have Darwin's values.
//
// A C function's pointers are implicitly unwrapped optionals unless its header declares otherwise, and Swift does not warn
// about an unused result of a C function.

@_exported public import DarwinStructures

// sys/types.h and the headers that it includes
public typealias mode_t = UInt16
public typealias off_t = Int64
public typealias pid_t = Int32
public typealias uid_t = UInt32
public typealias gid_t = UInt32
public typealias socklen_t = UInt32
public typealias sa_family_t = UInt8
public typealias in_port_t = UInt16
public typealias in_addr_t = UInt32
public typealias rlim_t = UInt64
public typealias tcflag_t = UInt
public typealias sigset_t = UInt32
public typealias sig_t = @convention(c) (Int32) -> Void
public typealias nfds_t = UInt32
public typealias pthread_t = UnsafeMutablePointer<_opaque_pthread_t>
