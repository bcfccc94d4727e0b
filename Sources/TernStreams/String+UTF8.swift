// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Creates text, with U+FFFD for invalid bytes; using it may end the process if `isASCII` is `true` but a byte is above 127.
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
