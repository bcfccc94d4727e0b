// SPDX-License-Identifier: Apache-2.0
import NIOCore

extension String {
    /// Creates a string from bytes that are known to be UTF-8, without validating them again.
    init(validated bytes: Span<UInt8>) {
        #if canImport(Darwin)
        // `UTF8Span` needs newer systems than those supported, so the bytes are validated a second time here.
        self = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        #else
        self = String(copying: unsafe UTF8Span(unchecked: bytes))
        #endif
    }
}
