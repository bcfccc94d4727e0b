// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
import Darwin

/// Has the type of Linux, not that of Darwin.
enum WrongType {
    static var regularFile: UInt32 { S_IFREG }  // error: return expression of type 'mode_t' (aka 'UInt16')
}
#endif
