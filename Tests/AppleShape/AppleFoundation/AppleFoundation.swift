// SPDX-License-Identifier: Apache-2.0

// A stand-in for the module Foundation of Apple platforms. Linux's Foundation re-exports the C library, which a source must
// not find here without an import of Darwin, so this module re-exports types one by one. An extension of a type needs no
// export of its own.
//
// Types that only share their names with types of the package are here, too: a name that is ambiguous on Apple platforms is
// ambiguous here.

// developer.apple.com/documentation/foundation; what Linux has in FoundationEssentials, and what it has in others.
@_exported public import FoundationEssentials

@_exported public import class Foundation.FileHandle
@_exported public import class Foundation.Host
@_exported public import class Foundation.InputStream
@_exported public import class Foundation.JSONSerialization
@_exported public import struct Foundation.Measurement
@_exported public import class Foundation.NSNull
@_exported public import class Foundation.NSNumber
@_exported public import class Foundation.Pipe
@_exported public import class Foundation.Port
@_exported public import class Foundation.Process
@_exported public import class Foundation.Progress
@_exported public import class Foundation.Stream
@_exported public import class Foundation.Thread
@_exported public import struct FoundationNetworking.URLRequest

// Apple's Foundation re-exports these modules.
@_exported public import Darwin
@_exported public import Dispatch
