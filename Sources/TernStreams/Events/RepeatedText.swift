// SPDX-License-Identifier: Apache-2.0

/// The last text, such as the type of an event; an equal text after it gets the same string, which saves an allocation.
struct RepeatedText: Sendable {
    private static let maximumByteCount = 256

    private var bytes: [UInt8] = []
    private var text = ""

    /// Returns the text for UTF-8 bytes, with U+FFFD for invalid bytes.
    mutating func text(of bytes: UnsafeRawBufferPointer, isASCII: Bool) -> String {
        // Creating a small string needs no allocation, and takes less time than a comparison.
        guard bytes.count > 15 else { return String(utf8: bytes, isASCII: isASCII) }
        guard bytes.count <= Self.maximumByteCount else { return String(utf8: bytes, isASCII: isASCII) }
        if self.bytes.withUnsafeBytes({ $0.elementsEqual(bytes) }) { return self.text }
        self.bytes.removeAll(keepingCapacity: true)
        self.bytes.append(contentsOf: bytes)
        self.text = String(utf8: bytes, isASCII: isASCII)
        return self.text
    }
}
