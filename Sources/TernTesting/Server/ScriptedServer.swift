// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

/// A server for tests that answers from a script, and records the requests that it receives.
///
/// ```swift
/// let server = ScriptedServer(steps: [
///     .respond(.response(body: "one")),
///     .respond(.close),
/// ])
/// let client = Client(connector: MemoryConnector(server))
/// ```
public final class ScriptedServer: Sendable {
    /// Answers one request.
    public typealias Answer = @Sendable (ReceivedRequest) async throws -> ScriptedResponse

    /// A step of a server's script for one connection.
    @nonexhaustive
    public enum Step: Sendable {
        /// Wait for a request, and answer it with this response.
        case respond(ScriptedResponse)
        /// Wait for a request, and do not answer it yet.
        case receive
        /// Wait for the head of a request, without its body, and do not answer it yet.
        case receiveHead
        /// Send this response without waiting for a request.
        case send(ScriptedResponse)

        fileprivate var needsRequest: Bool {
            if case .send = self { false } else { true }
        }

        fileprivate var leavesRequest: Bool {
            switch self {
            case .receive, .receiveHead: true
            case .respond, .send: false
            }
        }
    }

    private let requestLog = Observed<[ReceivedRequest]>([])
    private let conduct: @Sendable (ScriptedServer, ServerConnection) async throws -> Void

    /// Creates a server that answers its requests with a closure.
    ///
    /// If the closure throws, the client's call fails as ``MemoryConnector/Server`` describes.
    ///
    /// - Parameter answer: Answers a request, whose ``ReceivedRequest/number`` tells it from the others.
    public init(_ answer: @escaping Answer) {
        self.conduct = { server, connection in
            while let request = try await connection.readRequest() {
                let answered = server.log(request)
                guard try await connection.send(answer(answered), to: request.method) else { return }
            }
        }
    }

    /// Creates a server that goes through a list of steps on each connection.
    ///
    /// - Parameter steps: One list for each connection, in the order of connecting; the last one also serves later connections.
    ///   After the last step, the server closes the connection; over HTTP/2, only if a request has no complete response. If a step
    ///   would wait for a request directly after `receive` or `receiveHead`, the call fails. Over HTTP/2, a request during another
    ///   one, or after the last step, may take the next list.
    public init(steps: [Step]...) {
        self.conduct = { server, connection in
            guard let last = steps.last else { return }
            let number = connection.scriptNumber
            let list = number <= steps.count ? steps[number - 1] : last
            var hasUnanswered = false
            for (index, step) in list.enumerated() {
                if hasUnanswered, step.needsRequest, !connection.hasUnread {
                    let place = "Step \(index + 1) of \(list.count) on connection \(connection.number)"
                    throw TestStallError(
                        "\(place) waits for another request, but the previous one has no answer; use .send."
                    )
                }
                guard try await server.perform(step, on: connection) else { return }
                hasUnanswered = step.leavesRequest
            }
        }
    }

    /// The requests that the server has received so far on all connections, oldest first.
    public var requests: [ReceivedRequest] { self.requestLog.value }

    /// Waits until the server has received at least `count` requests since it was created.
    public func waitForRequests(_ count: Int) async throws(TestStallError) {
        try await self.requestLog.wait(for: count.counted("request")) { requests in
            requests.listed({ "\($0.method.rawValue) \($0.target)" }, none: "none")
        } until: { requests in
            requests.count >= count
        }
    }

    /// Serves one connection to its end; a mistake in the script fails the client's call with a description.
    public func serve(_ connection: ServerConnection) async {
        do {
            try await self.conduct(self, connection)
            connection.close()
        } catch {
            connection.end(after: error)
        }
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

    @discardableResult
    private func log(_ request: ReceivedRequest) -> ReceivedRequest {
        self.requestLog.update { requests in
            var request = request
            request.number = requests.count + 1
            requests.append(request)
            return request
        }
    }
}
