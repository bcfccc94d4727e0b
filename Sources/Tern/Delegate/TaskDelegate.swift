// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernRequests

/// Is told about one call, or, as the client's delegate, about all; every requirement has a default that does nothing.
///
/// A delegate that is given to a call is held until the call ends, and then let go. Its methods are called one at a time,
/// off the main thread, and never after the call has ended; they should return soon, for the transfer waits for them.
/// The call's delegate is told before the client's.
public protocol TaskDelegate: Sendable {
    /// More of the request body was handed to the network.
    func task(_ task: TaskInfo, didSend progress: TransferProgress)
    /// More of the response body was read.
    func task(_ task: TaskInfo, didReceive progress: TransferProgress)
    /// An interim response came (RFC 9110 §15.2), such as 103 Early Hints.
    func task(_ task: TaskInfo, didReceiveInformational response: HTTPResponse)
}

extension TaskDelegate {
    /// Does nothing.
    public func task(_ task: TaskInfo, didSend progress: TransferProgress) {}
    /// Does nothing.
    public func task(_ task: TaskInfo, didReceive progress: TransferProgress) {}
    /// Does nothing.
    public func task(_ task: TaskInfo, didReceiveInformational response: HTTPResponse) {}
}

/// Which call a delegate is told about.
public struct TaskInfo: Identifiable, Sendable {
    /// A number that no other call of this process has.
    public let id: UInt64
    /// The request as it was given to the client.
    public let request: Request
}

/// How far a transfer has come.
public struct TransferProgress: Hashable, Sendable {
    /// How many bytes are done.
    public let byteCount: Int64
    /// How many there are in all; `nil` if that is not known.
    public let totalByteCount: Int64?

    /// How much is done, from 0 to 1; `nil` if the total is not known.
    public var fractionCompleted: Double? {
        guard let totalByteCount = self.totalByteCount else { return nil }
        return totalByteCount > 0 ? min(1, Double(self.byteCount) / Double(totalByteCount)) : 1
    }
}
