// SPDX-License-Identifier: Apache-2.0
public import TernRequests

/// The call to which a delegate's question or event belongs, and how far the call has come.
public struct TaskInfo: Identifiable, Sendable {
    /// A number that identifies the call in this process.
    public let id: UInt64
    /// The request with which the call began, normally with a complete URL.
    public private(set) var originalRequest: Request
    /// The latest request of the call, normally with the client's default fields.
    public internal(set) var currentRequest: Request
    /// The number of the current attempt, from 1; a retry, challenge, redirect or a transfer's next request may begin another.
    public internal(set) var attempt = 1
    /// The number of bytes of the request body that the client has begun to send in this attempt; in an upload that can be resumed,
    /// as soon as the attempt sends bytes, also those of earlier attempts and calls.
    public internal(set) var sentByteCount: Int64 = 0
    /// The number of bytes of the response body that the client has read from the server in this attempt, before decompression.
    ///
    /// In a download that can be resumed, as soon as the attempt reads bytes, this also counts those of earlier attempts and calls.
    /// Over `URLSession`, it counts decompressed bytes.
    public internal(set) var receivedByteCount: Int64 = 0

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
