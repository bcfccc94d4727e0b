// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

/// The range of a request for exactly one range of bytes (RFC 9110 §14.1.2); a request for several goes to the server.
package enum ByteRange: Hashable, Sendable {
    /// `nil` stands for the end of the body.
    case from(Int64, through: Int64?)
    /// The last bytes of the body, at most this number.
    case last(Int64)

    /// Returns `nil` if the fields do not ask for exactly one range of bytes.
    package init?(_ fields: HTTPFields) {
        let values = fields[values: .range]
        guard values.count == 1, let value = values.first else { return nil }
        self.init(value)
    }

    private init?(_ value: String) {
        let parts = value.split(separator: "=", omittingEmptySubsequences: false)
        // "Range unit names are case-insensitive" (§14.1).
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let ends = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        let (first, last) = (Self.number(ends[0]), Self.number(ends[1]))
        switch (first, last) {
        // "An int-range is invalid if the last-pos value is present and less than first-pos" (§14.1.1).
        case (let first?, let last?) where first <= last: self = .from(first, through: last)
        case (let first?, nil) where ends[1].isEmpty: self = .from(first, through: nil)
        case (nil, let count?) where ends[0].isEmpty: self = .last(count)
        default: return nil
        }
    }

    private static func number(_ text: Substring) -> Int64? {
        guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return Int64(text)
    }

    /// Returns the positions in a whole body of this length; `nil` if the range "is unsatisfiable" (RFC 9110 §14.1.1).
    package func bounds(in byteCount: Int64) -> Range<Int64>? {
        switch self {
        case .from(let first, let last):
            // "If the value is greater than or equal to the current length of the representation data, the byte range
            // is interpreted as the remainder" (§14.1.2).
            guard first < byteCount else { return nil }
            return first..<(min(last ?? byteCount, byteCount - 1) + 1)
        case .last(let count):
            // "If the selected representation is shorter than the specified suffix-length, the entire representation is
            // used."
            guard count > 0, byteCount > 0 else { return nil }
            return max(0, byteCount - count)..<byteCount
        }
    }
}
