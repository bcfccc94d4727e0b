// SPDX-License-Identifier: Apache-2.0
public import TernRequests

/// Which call a delegate is asked or told about, and how far it has come.
public struct TaskInfo: Identifiable, Sendable {
    /// A number that no other call of this process has.
    public let id: UInt64
    /// The request as it was given to the client.
    public private(set) var originalRequest: Request
    /// The request as it was last sent or is about to be: after redirects another one.
    public internal(set) var currentRequest: Request
    /// Which try this is, counting from 1; challenges and redirects make another.
    public internal(set) var attempt = 1
    /// How many bytes of body were handed to the network in this attempt.
    public internal(set) var sentByteCount: Int64 = 0
    /// How many bytes of body were read in this attempt.
    public internal(set) var receivedByteCount: Int64 = 0

    /// Forgets what was uploaded.
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
