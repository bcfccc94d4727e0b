// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Creates text from UTF-8, in which U+FFFD replaces invalid bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - isASCII: Whether all bytes are known to be below 128, so that they need no validation. If `isASCII` is
    ///     `true` but a byte is 128 or above, the text is not valid, and using the text may end the process.
    @inline(__always)
    init(utf8 bytes: UnsafeRawBufferPointer, isASCII: Bool) {
        assert(!isASCII || bytes.allSatisfy { $0 < 0x80 }, "the bytes must be ASCII")
        self = bytes.withMemoryRebound(to: UInt8.self) { bytes in
            if isASCII, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, macCatalyst 26, *) {
                return String(copying: UTF8Span(unchecked: bytes.span, isKnownASCII: true))
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
