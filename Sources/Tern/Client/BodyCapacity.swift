// SPDX-License-Identifier: Apache-2.0

/// Decides how much memory to reserve for a body whose length was announced: at most twice the length that has arrived, so that
/// no server can exhaust the memory by announcing much.
struct BodyCapacity {
    private let announcedByteCount: Int?
    private var reservedByteCount = 0

    init(announced byteCount: Int64?) { self.announcedByteCount = byteCount.map { Int(clamping: $0) } }

    /// Returns the number of bytes to reserve in all; `nil` if there is enough room, or no length was announced.
    mutating func grow(toHold byteCount: Int) -> Int? {
        guard let announced = self.announcedByteCount, byteCount > self.reservedByteCount else { return nil }
        let (doubled, overflows) = byteCount.multipliedReportingOverflow(by: 2)
        self.reservedByteCount = max(byteCount, min(announced, overflows ? .max : doubled))
        return self.reservedByteCount
    }
}
