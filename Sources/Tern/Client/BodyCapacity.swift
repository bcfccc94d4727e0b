// SPDX-License-Identifier: Apache-2.0

/// Decides how much memory to reserve for a body whose length was announced.
///
/// Reserving the whole announced length in advance would save copies. But a server can announce any length, so one
/// response could exhaust the memory and end the process. So the client reserves at most twice the length that it has
/// received.
struct BodyCapacity {
    private let announcedByteCount: Int?
    private var reservedByteCount = 0

    /// Creates the capacity for a body that has not begun to arrive.
    init(announced byteCount: Int64?) { self.announcedByteCount = byteCount.map { Int(clamping: $0) } }

    /// Returns the number of bytes to reserve for a body that has grown.
    ///
    /// - Parameter byteCount: The new length of the body.
    /// - Returns: The number of bytes to reserve in all; `nil` if there is enough room. Also `nil` if no length was
    ///   announced, so that the storage grows as usual.
    mutating func grow(toHold byteCount: Int) -> Int? {
        guard let announced = self.announcedByteCount, byteCount > self.reservedByteCount else { return nil }
        let (doubled, overflows) = byteCount.multipliedReportingOverflow(by: 2)
        self.reservedByteCount = max(byteCount, min(announced, overflows ? .max : doubled))
        return self.reservedByteCount
    }
}
