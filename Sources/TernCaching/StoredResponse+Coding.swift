// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

extension StoredResponse {
    /// The maximum number of fields of a stored head; the client accepts responses with at most 1,000 fields.
    static let maximumFieldCount = 1024
    /// The maximum length of a text in a stored head, in bytes; by default, the client accepts heads of at most 256 KiB.
    static let maximumTextByteCount = 1 << 20

    /// The head as bytes, for a cache store to keep.
    public var encoded: [UInt8] {
        var writer = EntryWriter()
        writer.write(UInt64(bitPattern: Int64(self.statusCode)))
        writer.write(UInt64(bitPattern: self.requestTime))
        writer.write(UInt64(bitPattern: self.responseTime))
        writer.write(Array(self.reasonPhrase.utf8))
        writer.write(UInt64(self.variant.nominations.count))
        for nomination in self.variant.nominations {
            writer.write(Array(nomination.name.utf8))
            writer.write(nomination.digest == nil ? 0 : 1)
            writer.write(Array((nomination.digest ?? "").utf8))
        }
        writer.write(UInt64(self.fields.count))
        for field in self.fields {
            writer.write(Array(field.name.rawName.utf8))
            writer.write(field.withUnsafeBytesOfValue { Array($0) })
        }
        return writer.bytes
    }

    /// Creates a head from the bytes of ``encoded``; `nil` if they are not a valid head, or exceed a limit.
    public init?(decoding bytes: [UInt8]) {
        var reader = EntryReader(bytes)
        guard let status = reader.number(), 200..<600 ~= status, let requestTime = reader.number(),
            let responseTime = reader.number(), let reason = reader.text(Self.maximumTextByteCount),
            let nominationCount = reader.number(), nominationCount <= UInt64(Variant.maximumCount)
        else { return nil }
        var nominations: [Variant.SelectingField] = []
        for _ in 0..<nominationCount {
            guard let name = reader.text(Self.maximumTextByteCount), let flag = reader.number(), flag <= 1,
                let digest = reader.text(Self.maximumTextByteCount), flag == 1 || digest.isEmpty
            else { return nil }
            nominations.append(Variant.SelectingField(name: name, digest: flag == 1 ? digest : nil))
        }
        guard let fieldCount = reader.number(), fieldCount <= UInt64(Self.maximumFieldCount) else { return nil }
        var fields = HTTPFields()
        for _ in 0..<fieldCount {
            guard let text = reader.text(Self.maximumTextByteCount), let name = HTTPField.Name(text),
                let value = reader.bytes(Self.maximumTextByteCount), HTTPField.isValidValue(value)
            else { return nil }
            fields.append(HTTPField(name: name, value: value))
        }
        guard reader.isAtEnd else { return nil }
        self.init(
            stored: fields,
            Int(status),
            reason,
            Int64(bitPattern: requestTime),
            Int64(bitPattern: responseTime),
            Variant(nominations: nominations)
        )
    }
}

package struct EntryWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// The least significant byte is the first.
    package mutating func write(_ number: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) {
            self.bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
        }
    }

    /// Writes the number of bytes, followed by the bytes.
    package mutating func write(_ bytes: [UInt8]) {
        self.write(UInt64(bytes.count))
        self.bytes.append(contentsOf: bytes)
    }
}

/// Reads the bytes that an ``EntryWriter`` wrote; each method may return `nil`, because the bytes may be damaged.
package struct EntryReader {
    private let content: [UInt8]
    private var position = 0

    package init(_ content: [UInt8]) { self.content = content }

    package var isAtEnd: Bool { self.position == self.content.count }

    package mutating func number() -> UInt64? {
        guard self.content.count - self.position >= 8 else { return nil }
        defer { self.position += 8 }
        return self.content[self.position..<self.position + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns `nil` if the array is longer than `limit`.
    package mutating func bytes(_ limit: Int) -> ArraySlice<UInt8>? {
        guard let count = self.number(), count <= UInt64(min(limit, self.content.count - self.position)) else {
            return nil
        }
        defer { self.position += Int(count) }
        return self.content[self.position..<self.position + Int(count)]
    }

    /// Returns `nil` if the text is longer than `limit` bytes, or not UTF-8.
    package mutating func text(_ limit: Int) -> String? {
        self.bytes(limit).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
