// SPDX-License-Identifier: Apache-2.0
extension String {
    /// Creates a string from bytes that the decoder has validated as UTF-8.
    init(validated bytes: UnsafeRawBufferPointer) {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            self = String(copying: unsafe UTF8Span(unchecked: bytes.assumingMemoryBound(to: UInt8.self).span))
        } else {
            // Older systems of Apple do not have `UTF8Span`, so the bytes are validated a second time.
            self = String(decoding: bytes, as: UTF8.self)
        }
    }
}
