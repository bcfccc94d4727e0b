// SPDX-License-Identifier: Apache-2.0

// Functions of Linux that the module Glibc does not have, or has under the name of a structure, which Swift then takes.

/// Stores the status of a file system, which begins with its number.
@_silgen_name("fstatfs") func linuxStatus(ofFileSystem descriptor: Int32, _ status: UnsafeMutableRawPointer) -> Int32

/// Reserves space for a file.
@_silgen_name("fallocate") func linuxAllocate(_ descriptor: Int32, _ mode: Int32, _ offset: Int, _ count: Int) -> Int32

/// Locks a file.
@_silgen_name("flock") func linuxLock(_ descriptor: Int32, _ operation: Int32) -> Int32
