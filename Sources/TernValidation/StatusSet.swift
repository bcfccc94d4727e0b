// SPDX-License-Identifier: Apache-2.0

/// The statuses that are accepted.
package struct StatusSet: Hashable, Sendable {
    private var codes: Set<Int>

    /// Creates a set, of a list or of a range such as `200..<300`.
    ///
    /// - Parameter codes: The statuses; of a range, what is outside of 100 to 999, which no response has, is left out.
    package init(_ codes: some Sequence<Int>) {
        // A range can be too long to list.
        switch codes {
        case let range as Range<Int>: self.codes = Set(range.clamped(to: 100..<1000))
        case let range as ClosedRange<Int>:
            self.codes = range.overlaps(100...999) ? Set(range.clamped(to: 100...999)) : []
        default: self.codes = Set(codes)
        }
    }

    /// 2xx: "the client's request was successfully received, understood, and accepted" (RFC 9110 §15.3).
    package static let success = StatusSet(200..<300)

    /// Whether a status is accepted.
    ///
    /// - Parameter code: the status.
    /// - Returns: `true` if it is in the set.
    package func contains(_ code: Int) -> Bool { self.codes.contains(code) }

    /// The statuses of both sets.
    ///
    /// - Parameter other: the other set.
    /// - Returns: a changed copy.
    package func union(_ other: StatusSet) -> StatusSet { StatusSet(self.codes.union(other.codes)) }

    /// The statuses that are not in another set.
    ///
    /// - Parameter other: what is not accepted.
    /// - Returns: a changed copy.
    package func subtracting(_ other: StatusSet) -> StatusSet { StatusSet(self.codes.subtracting(other.codes)) }
}

extension StatusSet: ExpressibleByArrayLiteral {
    /// Creates a set of the listed statuses.
    package init(arrayLiteral codes: Int...) { self.init(codes) }
}
