// SPDX-License-Identifier: Apache-2.0

internal import CZlib

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The reason that a compressor or decompressor could not be created.
///
/// Received data is never the cause: the caller asked for unsupported parameters, or the machine has no memory left.
@nonexhaustive
public enum CompressionError: Error, Hashable, Sendable {
    /// The level is not in 0...9.
    case levelOutOfRange(Int)
    /// The window is not in 9...15 bits for compressing, or 8...15 for decompressing.
    case windowBitsOutOfRange(Int)
    /// The memory level is not in 1...9.
    case memoryLevelOutOfRange(Int)
    /// There is not enough memory.
    case outOfMemory
    /// The loaded zlib is not compatible with this build.
    case incompatibleLibrary

    /// Creates an error from the result, other than `Z_OK`, with which zlib failed to set up a stream.
    init(code: CInt) {
        self = code == CZlib.Z_MEM_ERROR ? .outOfMemory : .incompatibleLibrary
    }

    /// A sentence that says what was wrong; its wording may change.
    public var reason: String {
        switch self {
        case .levelOutOfRange(let level): "The compression level \(level) is not in 0...9."
        case .windowBitsOutOfRange(let bits): "A window of \(bits) bits is not supported."
        case .memoryLevelOutOfRange(let level): "The memory level \(level) is not in 1...9."
        case .outOfMemory: "There is not enough memory to compress or decompress."
        case .incompatibleLibrary: "The installed zlib library is not compatible."
        }
    }
}

extension CompressionError: CustomStringConvertible {
    /// The reason.
    public var description: String { self.reason }
}

extension CompressionError: LocalizedError {
    /// One English sentence that an app may show; its wording is not stable.
    public var errorDescription: String? { self.reason }
}
