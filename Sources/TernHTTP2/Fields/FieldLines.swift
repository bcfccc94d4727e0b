// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) package import TernFields

/// The fields of the field block that is being decoded, as lines of `name:value` and LF in one buffer.
///
/// Beyond the first of two limits of the list, lines are dropped and only counted. Beyond the second, decoding ends.
package struct FieldLines: Sendable {
    /// The lines and the free space after them; the array's count is the size of the whole buffer.
    private var bytes: [UInt8] = []
    /// The offset at which the lines end and the free space begins.
    private(set) var end = 0
    /// The offset at which the lines of pseudo-fields, which come before all others, end.
    private var pseudoEnd = 0
    /// The number of fields, without pseudo-fields.
    package private(set) var count = 0
    /// The length of the list, including dropped lines, in bytes as RFC 9113 §6.5.2 counts them.
    package private(set) var listByteCount = 0
    private var traits: FieldTraits = []
    private(set) var statusCode: Int?
    private(set) var contentLength: Int64?
    /// The first broken rule; the rest of the block is decoded, because later blocks may refer to fields of this block.
    package private(set) var fault: HTTP2Violation?

    private let maximumByteCount: Int
    private let largestByteCount: Int

    package init(maximumByteCount: Int, largestByteCount: Int) {
        (self.maximumByteCount, self.largestByteCount) = (maximumByteCount, max(maximumByteCount, largestByteCount))
    }

    package var noticedFields: NoticedFields { self.traits.noticedFields }
    var hasPseudoFields: Bool { self.pseudoEnd > 0 }

    package func makeSection() -> FieldSection {
        FieldSection(storage: Array(self.bytes[self.pseudoEnd..<self.end]), start: 0, count: self.count)
    }

    /// Returns a copy of the fields that may be in a trailer section; `nil` if there are none.
    func makeTrailers() -> FieldSection? {
        var section = self.makeSection()
        if self.traits.contains(.notInTrailers) {
            section = section.filtered { !FieldTraits(name: $1, in: $0).contains(.notInTrailers) }
        }
        return section.isEmpty ? nil : section
    }

    package var contents: ArraySlice<UInt8> { self.bytes[..<self.end] }

    package var text: String { String(decoding: self.contents, as: UTF8.self) }

    package var roomByteCount: Int { self.bytes.count }

    package mutating func removeAll() {
        (self.end, self.pseudoEnd, self.count, self.listByteCount) = (0, 0, 0, 0)
        (self.traits, self.statusCode, self.contentLength, self.fault) = ([], nil, nil, nil)
    }
}

// MARK: Writing by the decoder

extension FieldLines {
    /// Calls `body` with space for `byteCount` bytes, which begins `offset` bytes after the last line.
    @inline(__always)
    mutating func write(
        at offset: Int,
        room byteCount: Int,
        _ body: (UnsafeMutableRawBufferPointer) throws(HTTP2Violation) -> Int
    ) throws(HTTP2Violation) -> Int {
        let start = self.end + offset
        if self.bytes.count < start + byteCount { self.grow(to: start + byteCount) }
        return try self.bytes.withUnsafeMutableBufferPointer { (buffer) throws(HTTP2Violation) -> Int in
            let all = UnsafeMutableRawBufferPointer(buffer)
            return try body(UnsafeMutableRawBufferPointer(rebasing: all[start..<start + byteCount]))
        }
    }

    private mutating func grow(to byteCount: Int) {
        let room = max(1024, byteCount, self.bytes.count * 2)
        self.bytes.append(contentsOf: repeatElement(0, count: room - self.bytes.count))
    }

    /// Calls `body` with the `byteCount` bytes that were written after the last line.
    @inline(__always)
    func withLine<Result>(_ byteCount: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        self.bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[self.end..<self.end + byteCount])) }
    }

    @inline(__always)
    func withBytes(_ range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Void) {
        self.bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    @inline(__always)
    mutating func append(
        line: UnsafeRawBufferPointer,
        nameByteCount: Int,
        traits: FieldTraits
    ) throws(HTTP2Violation) {
        _ = try self.write(at: 0, room: line.count) { (room) throws(HTTP2Violation) -> Int in
            room.copyMemory(from: line)
            return line.count
        }
        try self.finishLine(byteCount: line.count, nameByteCount: nameByteCount, traits: traits)
    }

    /// Adds the line whose bytes were written after the last line.
    @inline(__always)
    mutating func finishLine(byteCount: Int, nameByteCount: Int, traits: FieldTraits) throws(HTTP2Violation) {
        // A line counts without the 2 bytes of the colon and the LF, but with "an overhead of 32 octets for each
        // field".
        self.listByteCount += byteCount + 30
        if self.listByteCount > self.maximumByteCount {
            // The driver never receives a list that is too long, so the next lines may overwrite it.
            (self.end, self.pseudoEnd, self.count) = (0, 0, 0)
            self.note(.fieldListTooLong(limit: self.maximumByteCount))
            if self.listByteCount > self.largestByteCount {
                throw .fieldListOverDecodingLimit(limit: self.largestByteCount)
            }
            return
        }
        self.traits.formUnion(traits)
        if traits.isDisjoint(with: .remarkable) {
            self.count += 1
        } else {
            self.look(at: self.end..<self.end + byteCount, nameByteCount: nameByteCount, traits: traits)
        }
        self.end += byteCount
        if self.count == 0 { self.pseudoEnd = self.end }
    }

    private mutating func note(_ violation: HTTP2Violation) { self.fault = self.fault ?? violation }

    private mutating func look(at line: Range<Int>, nameByteCount: Int, traits: FieldTraits) {
        if traits.contains(.invalidName) { self.note(.invalidFieldName) }
        if traits.contains(.invalidValue) { self.note(.invalidFieldValue) }
        if traits.contains(.connectionSpecific) { self.note(.connectionSpecificField) }
        if traits.isDisjoint(with: .pseudoField) { self.count += 1 }
        let value = line.lowerBound + nameByteCount + 1..<line.upperBound - 1
        if traits.contains(.contentLength) { self.noteContentLength(value) }
        guard !traits.isDisjoint(with: .pseudoField) else { return }
        // "All pseudo-header fields MUST appear in a field block before all regular field lines" (§8.3).
        if self.count > 0 { self.note(.misplacedPseudoField) }
        if traits.contains(.status) { self.noteStatus(value) } else { self.note(.unknownPseudoField) }
    }

    private mutating func noteStatus(_ range: Range<Int>) {
        // "The same pseudo-header field name MUST NOT appear more than once in a field block" (§8.3).
        guard self.statusCode == nil else { return self.note(.repeatedPseudoField) }
        let code = range.count == 3 ? self.decimal(range) : nil
        if code.map({ $0 < 100 }) ?? true { self.note(.invalidStatus) }
        self.statusCode = Int(code ?? 0)
    }

    private mutating func noteContentLength(_ range: Range<Int>) {
        guard let length = self.decimal(range) else { return self.note(.invalidContentLength) }
        if let other = self.contentLength, other != length { self.note(.invalidContentLength) }
        self.contentLength = length
    }

    /// Returns the decimal number; `nil` if a byte is not a digit, or the number is above `Int64.max`.
    private func decimal(_ range: Range<Int>) -> Int64? {
        guard !range.isEmpty else { return nil }
        var value: Int64 = 0
        for offset in range {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= self.bytes[offset] else { return nil }
            let (product, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, exceeds) = product.addingReportingOverflow(Int64(self.bytes[offset] - UInt8(ascii: "0")))
            if overflows || exceeds { return nil }
            value = sum
        }
        return value
    }
}
