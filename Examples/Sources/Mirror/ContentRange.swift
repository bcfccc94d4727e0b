// SPDX-License-Identifier: Apache-2.0

/// The range of a response with status 206: `bytes 500-999/1000` (RFC 9110 §14.4); it may be shorter than requested.
struct ContentRange: Equatable, Sendable {
    let start: Int64
    let end: Int64
    /// The length of the whole file, or `nil` if the server does not say.
    let total: Int64?

    /// Reads the field, or returns `nil` if it names no range.
    init?(_ text: String) {
        guard text.hasPrefix("bytes ") else { return nil }
        let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        let bounds = parts[0].split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
        guard parts.count == 2, bounds.count == 2, let start = bounds[0], let end = bounds[1], start <= end else {
            return nil
        }
        let total = Self.number(parts[1])
        guard total.map({ $0 > end }) ?? (parts[1] == "*") else { return nil }
        (self.start, self.end, self.total) = (start, end, total)
    }

    /// Returns the length of the whole file from the field of a 416, such as `bytes */1000`.
    static func total(unsatisfied text: String) -> Int64? {
        guard text.hasPrefix("bytes */") else { return nil }
        return Self.number(text.dropFirst(8))
    }

    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int64(text) : nil
    }
}
