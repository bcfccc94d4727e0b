// SPDX-License-Identifier: Apache-2.0

import TernFields

@testable import TernHTTP2

/// Returns bytes from hexadecimal digits; white space between them is ignored.
func hex(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

extension HPACKDecoder {
    /// Decodes a block, and returns its lines, including pseudo-fields.
    mutating func lines(of block: [UInt8], limit: Int = 1 << 20) throws(HTTP2Violation) -> [String] {
        var lines = FieldLines(maximumByteCount: limit, largestByteCount: limit * 2)
        try self.decode(ContiguousArray(block).span.bytes, into: &lines)
        return lines.text.split(separator: "\n").map(String.init)
    }

    /// Decodes a block, and returns the first rule that its fields break.
    mutating func fault(in block: [UInt8], limit: Int = 1 << 20) throws(HTTP2Violation) -> HTTP2Violation? {
        var lines = FieldLines(maximumByteCount: limit, largestByteCount: limit * 2)
        try self.decode(ContiguousArray(block).span.bytes, into: &lines)
        return lines.fault
    }
}

extension HPACKEncoder {
    /// Returns a block with these fields.
    mutating func block(_ fields: [(String, String)], _ indexing: Indexing = .incremental) -> [UInt8] {
        var output: [UInt8] = []
        self.beginBlock(into: &output)
        for (name, value) in fields {
            Array(name.utf8).withUnsafeBytes { name in
                Array(value.utf8).withUnsafeBytes { value in
                    self.encode(name: name, value: value, indexing, into: &output)
                }
            }
        }
        return output
    }
}
