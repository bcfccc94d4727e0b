// SPDX-License-Identifier: Apache-2.0

/// How much memory to reserve for a body whose length was announced.
///
/// All of it at once would save copies, but announcing a length costs a server nothing: a single response could ask for
/// more than there is, and end the process. So no more is reserved than twice what has come.
struct BodyRoom {
    private let announcedByteCount: Int?
    private var reservedByteCount = 0

    /// Nothing has come yet.
    init(announced byteCount: Int64?) { self.announcedByteCount = byteCount.map { Int(clamping: $0) } }

    /// The body becomes longer.
    ///
    /// - Parameter byteCount: how long it is then.
    /// - Returns: how many bytes to reserve in all; `nil` if there is room, or if no length was announced, for then the
    ///   store grows as it likes.
    mutating func grow(toHold byteCount: Int) -> Int? {
        guard let announced = self.announcedByteCount, byteCount > self.reservedByteCount else { return nil }
        let (doubled, overflows) = byteCount.multipliedReportingOverflow(by: 2)
        self.reservedByteCount = max(byteCount, min(announced, overflows ? .max : doubled))
        return self.reservedByteCount
    }
}
