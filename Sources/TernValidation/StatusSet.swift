// SPDX-License-Identifier: Apache-2.0

/// The statuses that are accepted.
///
/// ```swift
/// let set = StatusSet.success.union([304, 404])
/// ```
public struct StatusSet: Hashable, Sendable {
    private var codes: Set<Int>

    /// Creates a set.
    ///
    /// - Parameter codes: the statuses.
    public init(_ codes: some Sequence<Int>) { self.codes = Set(codes) }

    /// Creates a set of all in a range, such as `200..<300`.
    ///
    /// - Parameter range: the statuses; what is outside of 100 to 999, which no response has, is left out.
    public init(_ range: Range<Int>) { self.codes = Set(range.clamped(to: 100..<1000)) }

    /// Creates a set of all in a closed range, such as `200...204`.
    ///
    /// - Parameter range: the statuses; what is outside of 100 to 999, which no response has, is left out.
    public init(_ range: ClosedRange<Int>) {
        self.codes = range.overlaps(100...999) ? Set(range.clamped(to: 100...999)) : []
    }

    /// 2xx: "the client's request was successfully received, understood, and accepted" (RFC 9110 §15.3).
    public static let success = StatusSet(200..<300)

    /// Whether a status is accepted.
    ///
    /// - Parameter code: the status.
    /// - Returns: `true` if it is in the set.
    public func contains(_ code: Int) -> Bool { self.codes.contains(code) }

    /// The statuses of both sets.
    ///
    /// - Parameter other: the other set.
    /// - Returns: a changed copy.
    public func union(_ other: StatusSet) -> StatusSet { StatusSet(self.codes.union(other.codes)) }

    /// The statuses that are not in another set.
    ///
    /// - Parameter other: what is not accepted.
    /// - Returns: a changed copy.
    public func subtracting(_ other: StatusSet) -> StatusSet { StatusSet(self.codes.subtracting(other.codes)) }
}

extension StatusSet: ExpressibleByArrayLiteral {
    /// Creates a set of the listed statuses.
    public init(arrayLiteral codes: Int...) { self.init(codes) }
}
