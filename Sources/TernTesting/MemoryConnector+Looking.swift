// SPDX-License-Identifier: Apache-2.0
public import TernConnections

extension MemoryConnector {
    /// The endpoints of all attempts to connect, oldest first, including failed attempts.
    public var endpoints: [ConnectionEndpoint] { self.state.value.endpoints }

    /// The number of attempts to connect, including failed attempts.
    public var attemptCount: Int { self.state.value.endpoints.count }

    /// The number of connections that the client has not closed.
    public var openCount: Int { self.state.value.openCount }

    /// Waits until the client has made at least `count` attempts to connect since the connector was created.
    public func waitForAttempts(_ count: Int) async throws(TestStallError) {
        try await self.state.wait(for: "\(count.counted("attempt")) to connect") { state in
            state.endpoints.listed({ "one to \($0)" }, none: "none")
        } until: { state in
            state.endpoints.count >= count
        }
    }

    /// Waits until ``openCount`` is `count`.
    public func waitForOpen(_ count: Int) async throws(TestStallError) {
        try await self.state.wait(for: count.counted("open connection"), butFound: { "\($0.openCount)" }) { state in
            state.openCount == count
        }
    }

    /// The number of streams of HTTP/2 that the servers are serving, on all connections.
    public var openStreamCount: Int { self.streamCount.value }

    /// Waits until ``openStreamCount`` is `count`, such as 0 after a test has released every body.
    public func waitForOpenStreams(_ count: Int) async throws(TestStallError) {
        try await self.streamCount.wait(for: count.counted("open stream"), butFound: { "\($0)" }) { $0 == count }
    }

    /// Waits until no task of a server is running.
    public func waitForServers() async throws(TestStallError) {
        try await self.tasks.waitForEnd()
    }
}
