// SPDX-License-Identifier: Apache-2.0

/// Counts the bytes of a response's body until the planned reset of its stream.
struct ResetCountdown: Sendable {
    /// The number of bytes before the reset; `nil` if no reset is planned.
    private var rest: Int?

    init(_ reset: HTTP2FaultSchedule.Reset?) { self.rest = reset?.afterBodyByteCount }

    /// Counts bytes that the server has sent.
    ///
    /// - Parameter byteCount: The number of bytes; 0 for the end of the head.
    /// - Returns: The number of these bytes that come before the reset; `nil` if the reset comes later, or never.
    mutating func byteCountBeforeReset(in byteCount: Int) -> Int? {
        guard let rest else { return nil }
        if rest <= byteCount { return rest }
        self.rest = rest - byteCount
        return nil
    }
}
