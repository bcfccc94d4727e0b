// SPDX-License-Identifier: Apache-2.0

package struct StatusSet: Hashable, Sendable {
    private var codes: Set<Int>

    /// Creates a set from a list, or from a range, of which only 100 to 999 are used, because no response has another status.
    package init(_ codes: some Sequence<Int>) {
        // A range may be too long to enumerate.
        switch codes {
        case let range as Range<Int>: self.codes = Set(range.clamped(to: 100..<1000))
        case let range as ClosedRange<Int>:
            self.codes = range.overlaps(100...999) ? Set(range.clamped(to: 100...999)) : []
        default: self.codes = Set(codes)
        }
    }

    /// "The client's request was successfully received, understood, and accepted" (RFC 9110 §15.3).
    package static let success = StatusSet(200..<300)

    package func contains(_ code: Int) -> Bool { self.codes.contains(code) }

    package func union(_ other: StatusSet) -> StatusSet { StatusSet(self.codes.union(other.codes)) }

    package func subtracting(_ other: StatusSet) -> StatusSet { StatusSet(self.codes.subtracting(other.codes)) }
}

extension StatusSet: ExpressibleByArrayLiteral {
    package init(arrayLiteral codes: Int...) { self.init(codes) }
}
