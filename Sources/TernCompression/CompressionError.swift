// SPDX-License-Identifier: Apache-2.0

internal import CZlib
public import TernFoundation

/// The reason that a compressor or decompressor could not be created; received data is never the cause.
@nonexhaustive
public enum CompressionError: Error, Hashable, Sendable {
    /// The level is not in 0...9.
    case levelOutOfRange(Int)
    /// The window is not in 9...15 bits for compressing, or not in 8...15 bits for decompressing.
    case windowBitsOutOfRange(Int)
    /// The memory level is not in 1...9.
    case memoryLevelOutOfRange(Int)
    /// There is not enough memory.
    case outOfMemory
    /// The loaded library, such as zlib, is not compatible with the one that Tern was built with.
    case incompatibleLibrary

    init(code: CInt) {
        self = code == CZlib.Z_MEM_ERROR ? .outOfMemory : .incompatibleLibrary
    }

    /// A sentence that describes the error; its wording may change.
    public var reason: String {
        switch self {
        case .levelOutOfRange(let level): "The compression level \(level) is not a number from 0 to 9."
        case .windowBitsOutOfRange(let bits): "A compression window of \(bits) bits is not supported."
        case .memoryLevelOutOfRange(let level): "The memory level \(level) is not a number from 1 to 9."
        case .outOfMemory: "There is not enough memory to compress or decompress data."
        case .incompatibleLibrary: "The installed compression library is not compatible with this program."
        }
    }
}

extension CompressionError: CustomStringConvertible {
    /// The reason.
    public var description: String { self.reason }
}

extension CompressionError: LocalizedError {
    /// One English sentence that an app may show; its wording may change.
    public var errorDescription: String? { self.reason }
}
