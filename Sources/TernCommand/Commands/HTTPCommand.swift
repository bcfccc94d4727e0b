// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import HTTPTypes
import Tern

protocol HTTPCommand: CallCommand {
    /// Not a part of the connection's options: a debug build of the parser checks a group several times for each group around it.
    var call: CallOptions { get }
}

extension HTTPCommand {
    var url: String { TypedURL(self.call.url).text }
    var json: Bool { self.call.json }
    var timing: Bool { self.call.reporting.timing }
    var hidesErrors: Bool { self.call.reporting.hidesErrors }
    var hidesWarnings: Bool { self.call.reporting.silent }

    func format() async throws(CommandFailure) -> WriteOut? { try await self.call.reporting.format() }

    /// Asks for missing secrets, and creates a client and a request; if there is a body, POST replaces GET.
    func prepare(
        _ method: HTTPRequest.Method,
        _ content: ContentOptions? = nil,
        _ delegate: CommandDelegate,
        isDurable: Bool = false,
        _ input: some ContentInput = SystemInput()
    ) async throws(CommandFailure) -> (client: Client, request: Request) {
        let policy = isDurable ? nil : self.call.retry.policy
        let target = TypedURL(self.call.url)
        if let note = target.note, !self.call.isQuiet, !self.json { System.tell(TerminalText.note(note)) }
        delegate.reportsRetries((policy != nil || isDurable) && !self.call.isQuiet && !self.json)
        delegate.allowsRetries(self.call.retry.retry ?? 0)
        let isSending = content?.hasBody == true
        var interceptors: [any Interceptor] = policy.map { [Resumption(policy: $0, delegate: delegate)] } ?? []
        if let rate = self.call.limitRate?.bytesPerSecond { interceptors.append(RateLimit(bytesPerSecond: rate)) }
        let (client, request) = try await self.connection.prepare(
            self.call.method(or: isSending && method == .get ? .post : method),
            target.text,
            timeout: self.call.timeout,
            delegate,
            interceptors: interceptors
        )
        return (client, try await self.completed(request, content, input))
    }

    func completed(
        _ request: Request,
        _ content: ContentOptions?,
        _ input: some ContentInput
    ) async throws(CommandFailure) -> Request {
        var request = request
        if let content { request = try await content.applied(to: request, input) }
        // A typed `Content-Type` field replaces the body's type; a field without a value removes it.
        if try self.connection.fields().contains(where: { $0.name == .contentType }) {
            request.body?.contentType = nil
        }
        if let range = self.call.range { request = request.header(.range, "bytes=\(range.filter { $0 != " " })") }
        if let condition = self.call.timeCondition, !request.fields.contains(condition.field) {
            request = request.header(condition.field, "\(condition.date)")
        } else if self.call.typedTimeCondition != nil, self.call.timeCondition == nil, !self.call.isQuiet, !self.json {
            // As in curl: the file may be the one that the first of several calls creates.
            System.tell(TerminalText.note("--time-cond is neither a date nor a file, so there is no condition"))
        }
        if self.call.compressed { request.options.decodesContent = true }
        if let limit = self.call.maxFilesize { request.options.maximumBodyByteCount = limit.byteCount }
        if let policy = self.call.retry.policy { request = request.retry(policy) }
        return request
    }

    /// Prints nothing with `--report json`, which contains these facts, because a program may read standard error.
    func printTLSFacts(_ response: Response) {
        guard !self.json else { return }
        if !self.call.isQuiet, let line = self.connection.caching.line(on: response) { System.tell(line) }
        guard self.connection.tls.tlsInfo else { return }
        System.tell(response.tls.map { TLSText.lines(on: $0) } ?? "* no TLS\n")
    }
}
