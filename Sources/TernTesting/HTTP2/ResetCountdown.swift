// SPDX-License-Identifier: Apache-2.0

/// Counts the bytes of a response's body until the planned reset of its stream.
struct ResetCountdown: Sendable {
    private var rest: Int?

    init(_ reset: HTTP2FaultSchedule.Reset?) { self.rest = reset?.afterBodyByteCount }

    /// Counts bytes, 0 for the end of the head, and returns the number of them before the reset if it is due.
    mutating func byteCountBeforeReset(in byteCount: Int) -> Int? {
        guard let rest else { return nil }
        if rest <= byteCount { return rest }
        self.rest = rest - byteCount
        return nil
    }
}
