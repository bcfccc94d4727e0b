// SPDX-License-Identifier: Apache-2.0
public import TernRequests

/// The call to which a delegate's question or event belongs, and how far the call has come.
public struct TaskInfo: Identifiable, Sendable {
    /// A number that identifies the call in this process.
    public let id: UInt64
    /// The request that the application passed to the client.
    public private(set) var originalRequest: Request
    /// The request that the client sent last, or is about to send, which differs from ``originalRequest`` after redirects.
    public internal(set) var currentRequest: Request
    /// The number of the current attempt from 1; retries, challenges, redirects and further ranges of a download start another.
    public internal(set) var attempt = 1
    /// The number of bytes of the request body handed to the network in this attempt; those of the file if an upload continues.
    public internal(set) var sentByteCount: Int64 = 0
    /// The number of bytes of the response body, before decompression, that the client has read in this attempt.
    ///
    /// In a download that continues, this counts the bytes of the file that have arrived, including those of earlier attempts and
    /// calls.
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
