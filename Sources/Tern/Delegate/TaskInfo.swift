// SPDX-License-Identifier: Apache-2.0
public import TernRequests

/// The call to which a delegate's question or event belongs, and its progress.
public struct TaskInfo: Identifiable, Sendable {
    /// A number that identifies the call in this process.
    public let id: UInt64
    /// The request that was given to the client.
    public private(set) var originalRequest: Request
    /// The request that was sent last or is about to be sent.
    ///
    /// It differs from the original after redirects.
    public internal(set) var currentRequest: Request
    /// The number of the current attempt, starting at 1.
    ///
    /// Retries, challenges and redirects start another attempt.
    public internal(set) var attempt = 1
    /// The number of bytes of the request body that were handed to the network in this attempt.
    public internal(set) var sentByteCount: Int64 = 0
    /// The number of bytes of the response body that were read in this attempt.
    public internal(set) var receivedByteCount: Int64 = 0

    /// Releases the request bodies.
    mutating func dropBodies() {
        self.originalRequest.body = nil
        self.currentRequest.body = nil
    }

    init(id: UInt64, request: Request) {
        self.id = id
        self.originalRequest = request
        self.currentRequest = request
    }
}
