// SPDX-License-Identifier: Apache-2.0

/// A server for tests that answers from a script and remembers what it was asked.
///
/// ```swift
/// let server = ScriptedServer(steps: [.respond(.response(body: "one")), .respond(.close)])
/// let client = Client(connector: MemoryConnector(server))
/// ```
public final class ScriptedServer: Sendable {
    /// Answers one request.
    public typealias Answer = @Sendable (ReceivedRequest) async throws -> ScriptedResponse

    /// What a server does next on a connection.
    public enum Step: Sendable {
        /// Wait for a request and answer it.
        case respond(ScriptedResponse)
        /// Wait for a request, and do not answer it yet.
        case receive
        /// Wait for the head of a request only.
        case receiveHead
        /// Send something without waiting for a request.
        case send(ScriptedResponse)
    }

    private let requestLog = Observed<[ReceivedRequest]>([])
    private let conduct: @Sendable (ScriptedServer, ServerConnection) async throws -> Void

    /// Creates a server that answers every request, on every connection, by a closure.
    ///
    /// If the closure throws, the connection is closed.
    public init(_ answer: @escaping Answer) {
        self.conduct = { server, connection in
            while let request = try await connection.readRequest() {
                server.log(request)
                guard try await connection.send(answer(request), to: request.method) else { return }
            }
        }
    }

    /// Creates a server that goes through a list of steps on each connection.
    ///
    /// - Parameter steps: one list for each connection, in the order in which they are made; the last list serves all
    ///   further ones too. After its steps a connection is closed.
    public init(steps: [Step]...) {
        self.conduct = { server, connection in
            guard let last = steps.last else { return }
            let list = connection.number <= steps.count ? steps[connection.number - 1] : last
            for step in list { guard try await server.perform(step, on: connection) else { return } }
        }
    }

    /// The requests received so far on all connections, oldest first.
    public var requests: [ReceivedRequest] { self.requestLog.value }

    /// Waits until `count` requests were received in all; returns at once if the task is cancelled.
    public func waitForRequests(_ count: Int) async { await self.requestLog.wait { $0.count >= count } }

    /// Serves one connection to its end; a fault of the client or of the script closes it.
    public func serve(_ connection: ServerConnection) async {
        try? await self.conduct(self, connection)
        connection.close()
    }

    private func perform(_ step: Step, on connection: ServerConnection) async throws -> Bool {
        switch step {
        case .respond(let response):
            guard let request = try await connection.readRequest() else { return false }
            self.log(request)
            return try await connection.send(response, to: request.method)
        case .receive:
            guard let request = try await connection.readRequest() else { return false }
            self.log(request)
            return true
        case .receiveHead:
            guard let request = try await connection.readHead() else { return false }
            self.log(request)
            return true
        case .send(let response):
            return try await connection.send(response)
        }
    }

    private func log(_ request: ReceivedRequest) { self.requestLog.update { $0.append(request) } }
}
