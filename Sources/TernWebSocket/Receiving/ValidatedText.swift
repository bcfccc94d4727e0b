// SPDX-License-Identifier: Apache-2.0
import NIOCore

extension String {
    /// Copies bytes that are known to be UTF-8, without looking at them again.
    init(validated bytes: Span<UInt8>) {
        #if canImport(Darwin)
        // `UTF8Span` is younger than the systems that are supported; this looks at the bytes a second time.
        self = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        #else
        self = String(copying: unsafe UTF8Span(unchecked: bytes))
        #endif
    }
}
