// SPDX-License-Identifier: Apache-2.0

/// A set of accepted statuses.
package struct StatusSet: Hashable, Sendable {
    private var codes: Set<Int>

    /// Creates a set from a list, or from a range such as `200..<300`.
    ///
    /// - Parameter codes: The statuses. If they are a range, only 100 to 999 are used, because no response has another
    ///   status.
    package init(_ codes: some Sequence<Int>) {
        // A range may be too long to enumerate.
        switch codes {
        case let range as Range<Int>: self.codes = Set(range.clamped(to: 100..<1000))
        case let range as ClosedRange<Int>:
            self.codes = range.overlaps(100...999) ? Set(range.clamped(to: 100...999)) : []
        default: self.codes = Set(codes)
        }
    }

    /// The statuses 2xx: "the client's request was successfully received, understood, and accepted" (RFC 9110 §15.3).
    package static let success = StatusSet(200..<300)

    /// Returns whether a status is accepted.
    ///
    /// - Parameter code: The status.
    /// - Returns: `true` if the set contains the status.
    package func contains(_ code: Int) -> Bool { self.codes.contains(code) }

    /// Returns the statuses that are in this set, in another set, or in both.
    ///
    /// - Parameter other: The other set.
    /// - Returns: A changed copy.
    package func union(_ other: StatusSet) -> StatusSet { StatusSet(self.codes.union(other.codes)) }

    /// Returns the statuses of this set that are not in another set.
    ///
    /// - Parameter other: The statuses to remove.
    /// - Returns: A changed copy.
    package func subtracting(_ other: StatusSet) -> StatusSet { StatusSet(self.codes.subtracting(other.codes)) }
}

extension StatusSet: ExpressibleByArrayLiteral {
    /// Creates a set from the listed statuses.
    package init(arrayLiteral codes: Int...) { self.init(codes) }
}
