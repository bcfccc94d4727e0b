// SPDX-License-Identifier: Apache-2.0
import TernConnections

/// The progress of a request body, which decides the time limit that applies before the response.
struct UploadProgress: Hashable, Sendable {
    enum Stage: Hashable, Sendable {
        case sending
        /// The transport waits for the source of the body, which is not the server's fault.
        case waitingForSource
        /// The whole body was sent at this instant; `nil` without a body, or with an empty one that is not a stream.
        case sent(at: ClockInstant?)
    }

    private(set) var stage: Stage
    /// The number of bytes that must be sent; `nil` while the length is unknown.
    private(set) var length: Int64?
    private var sentByteCount: Int64 = 0

    private init(_ stage: Stage, _ length: Int64?) {
        self.stage = stage
        self.length = length
    }

    static let none = UploadProgress(.sent(at: nil), nil)

    /// The progress of a body that `URLSession` has or reads itself.
    static func whole(_ length: Int64) -> UploadProgress {
        length == 0 ? .none : UploadProgress(.sending, length)
    }

    /// The progress of a body that a task reads; its length is known only when the source has ended.
    static let stream = UploadProgress(.waitingForSource, nil)

    /// The length of the complete body that was sent; `nil` before, and without a body.
    var completeByteCount: Int64? {
        if case .sent = self.stage { self.length } else { nil }
    }

    /// Records the number of bytes handed to the network so far, and returns whether this completes the body.
    mutating func sent(_ byteCount: Int64, at now: ClockInstant) -> Bool {
        self.sentByteCount = max(self.sentByteCount, byteCount)
        return self.finishIfComplete(at: now)
    }

    mutating func sourceIsSlow(_ isSlow: Bool) {
        if case .sent = self.stage { return }
        guard self.length == nil else { return }
        self.stage = isSlow ? .waitingForSource : .sending
    }

    mutating func sourceEnded(_ byteCount: Int64, at now: ClockInstant) {
        if case .sent = self.stage { return }
        self.length = byteCount
        self.stage = .sending
        _ = self.finishIfComplete(at: now)
    }

    private mutating func finishIfComplete(at now: ClockInstant) -> Bool {
        if case .sent = self.stage { return false }
        guard let length = self.length, self.sentByteCount >= length else { return false }
        self.stage = .sent(at: now)
        return true
    }
}
