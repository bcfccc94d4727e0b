// SPDX-License-Identifier: Apache-2.0

/// Writes numbers and bytes of known length, one after the other.
package struct EntryWriter {
    /// What was written.
    package private(set) var bytes: [UInt8] = []

    /// Begins with nothing.
    package init() {}

    /// Writes a number, of eight bytes, the least significant first.
    package mutating func write(_ number: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) {
            self.bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }

    /// Writes bytes, their count first.
    package mutating func write(_ bytes: [UInt8]) {
        self.write(UInt64(bytes.count))
        self.bytes.append(contentsOf: bytes)
    }
}

/// Reads what an ``EntryWriter`` wrote, or something else entirely: every step may find less than it wants.
package struct EntryReader {
    private let content: [UInt8]
    private var position = 0

    /// Begins to read.
    package init(_ content: [UInt8]) { self.content = content }

    /// Whether everything was read.
    package var isAtEnd: Bool { self.position == self.content.count }

    /// A number; `nil` if there are fewer bytes.
    package mutating func number() -> UInt64? {
        guard self.content.count - self.position >= 8 else { return nil }
        defer { self.position += 8 }
        return self.content[self.position..<self.position + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Bytes; `nil` if there are fewer, or more than `limit`.
    package mutating func bytes(_ limit: Int) -> ArraySlice<UInt8>? {
        guard let count = self.number(), count <= UInt64(min(limit, self.content.count - self.position)) else {
            return nil
        }
        defer { self.position += Int(count) }
        return self.content[self.position..<self.position + Int(count)]
    }

    /// Text; `nil` if there are fewer bytes, more than `limit`, or others than UTF-8.
    package mutating func text(_ limit: Int) -> String? {
        self.bytes(limit).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
