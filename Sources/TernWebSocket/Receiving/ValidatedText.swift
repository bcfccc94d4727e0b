// SPDX-License-Identifier: Apache-2.0
extension String {
    /// Creates a string from bytes that the decoder has validated as UTF-8.
    init(validated bytes: UnsafeRawBufferPointer) {
        #if canImport(Darwin)
        // `UTF8Span` needs newer systems than the oldest that Tern supports, so the bytes are validated a second time.
        self = String(decoding: bytes, as: UTF8.self)
        #else
        self = String(copying: unsafe UTF8Span(unchecked: bytes.assumingMemoryBound(to: UInt8.self).span))
        #endif
    }
}
