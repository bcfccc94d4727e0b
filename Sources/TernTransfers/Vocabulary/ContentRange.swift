// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

/// The value of a `Content-Range` field in the unit of bytes (RFC 9110 §14.4).
///
/// "The recipient of an invalid Content-Range MUST NOT attempt to recombine the received content with a stored representation."
package enum ContentRange: Hashable, Sendable {
    /// Such as `bytes 100-199/200`, or `bytes 100-199/*` without the complete length.
    case part(Range<Int64>, completeLength: Int64?)
    /// Such as `bytes */200`, with only the complete length.
    case unsatisfied(completeLength: Int64)

    /// Returns `nil` unless there is a single `Content-Range`, and its value is valid.
    package init?(_ fields: HTTPFields) {
        let values = fields[values: .contentRange]
        guard values.count == 1, let value = values.first else { return nil }
        self.init(value)
    }

    /// Returns `nil` if the text is not valid, counts in another unit, or has a number that does not fit in `Int64`.
    package init?(_ value: String) {
        // "Content-Range = range-unit SP ( range-resp / unsatisfied-range )", with exactly one space.
        let parts = value.split(separator: " ", omittingEmptySubsequences: false)
        // "Range unit names are case-insensitive" (§14.1).
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let sides = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        let completeLength = Self.number(sides[1])
        if sides[0] == "*" {
            // "unsatisfied-range = "*/" complete-length": the length cannot be unknown here.
            guard let completeLength else { return nil }
            self = .unsatisfied(completeLength: completeLength)
            return
        }
        guard completeLength != nil || sides[1] == "*" else { return nil }
        let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false)
        // "A Content-Range field value is invalid if it contains a range-resp that has a last-pos value less than its
        // first-pos value, or a complete-length value less than or equal to its last-pos value."
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
            first <= last, last < completeLength ?? .max
        else { return nil }
        self = .part(first..<(last + 1), completeLength: completeLength)
    }

    private static func number(_ text: Substring) -> Int64? {
        // `Int64` itself would accept a sign.
        guard !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int64(text)
    }
}
