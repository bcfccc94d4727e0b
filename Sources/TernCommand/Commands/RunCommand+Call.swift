// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Tern
import TernRequestFiles

extension RunCommand {
    /// Sends one request.
    ///
    /// - Parameters:
    ///   - binding: the request with its values.
    ///   - delegate: accompanies the call.
    /// - Returns: how it ended.
    /// - Throws: `ClientError`, `CommandFailure` or `OutputFailure`.
    func perform(_ binding: RequestBinding, _ delegate: CommandDelegate) async throws -> CallReport {
        let policy = self.retry.policy
        delegate.tellsRetries(policy != nil && !self.quiet && !self.json)
        var (client, request) = try await self.connection.prepare(.get, binding.server, timeout: self.timeout, delegate)
        try self.add(binding.request, to: &request)
        if let policy { request = request.retry(policy) }
        if binding.definition.isWebSocket { return try await self.converse(request, client) }
        let (bytes, response) = try await client.bytes(for: request)
        return try await self.body.print(bytes, response)
    }

    /// Puts what the file says into a request that has what was typed; a field that was typed replaces the file's.
    private func add(_ given: Request, to request: inout Request) throws(CommandFailure) {
        if let problem = given.problem { throw CommandFailure(outcome: .invalidRequest, message: "\(problem)") }
        request.method = given.method
        request.url = given.url
        request.body = given.body
        if let redirects = given.options.redirects { request.options.redirects = redirects }
        for field in given.fields where !self.connection.header.contains(where: { $0.name == field.name }) {
            request.fields.append(field)
        }
    }

    private func converse(_ request: Request, _ client: Client) async throws -> CallReport {
        var options = WebSocketOptions()
        // Somebody waits for it at the end of input and at Ctrl-C.
        options.pongTimeout = .seconds(5)
        options.closeTimeout = .seconds(2)
        let socket = try await client.webSocket(for: request, options: options)
        let output = OutputWriter()
        let display = WebSocketDisplay(format: .lines, output: output, isQuiet: self.quiet)
        var plan = WebSocketSession.Plan(limit: self.limit)
        if self.limit != nil { plan.wait = .forever }
        let session = WebSocketSession(socket, display, plan)
        try await output.whileRead { try await session.run() }
        return CallReport(WebSocketClosing(socket), nil)
    }
}

extension Response {
    /// Status and fields, as `--include` prints them.
    var head: String {
        let fields = self.fields.map { "\($0.name.rawName): \($0.value)\n" }.joined()
        return "HTTP/1.1 \(self.status)\n\(fields)\n"
    }
}
