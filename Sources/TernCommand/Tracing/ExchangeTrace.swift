// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import Tern
import TernConnections
import TernFoundation
import TernRequests
import TernTransport

/// Records the heads of all responses of a call, and may write each step to a descriptor, like `curl -v`.
///
/// A line with `>` was sent, one with `<` was received, and one with `*` reports an event. Secret values of fields are masked.
final class ExchangeTrace: Interceptor, EventMonitor {
    private struct State {
        var heads: [String] = []
        var outgoing: HTTPCall?
        var version = HTTPVersion.http11
        /// Whether the head of a request was sent, and the head of its response has not been shown yet.
        var awaitsHead = false
        /// The line about the end of an exchange, which the client may report before the trace shows the response head.
        var end: String?
    }

    private let descriptor: CInt?
    private let state = Mutex(State())

    init(showingOn descriptor: CInt? = nil) { self.descriptor = descriptor }

    /// Includes the heads of redirects and of challenges.
    var heads: [String] { self.state.withLock { $0.heads } }

    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        if self.descriptor != nil {
            self.state.withLock { $0.outgoing = call }
        }
        let reply = try await next.respond(to: call)
        self.show(ResponseText.head(of: reply.response), "<")
        let end = self.state.withLock { state in
            state.heads.append(reply.response.head)
            state.awaitsHead = false
            return state.end.take()
        }
        if let end { self.tell(end) }
        return reply
    }

    func received(_ response: HTTPResponse) { self.show(ResponseText.head(response), "<") }

    // MARK: EventMonitor

    func call(_ call: MonitoredCall, willSend request: Request, because reason: TransactionMetrics.Reason) {
        switch reason {
        case .redirect: self.tell("following the redirect to \(RequestText.shown(request.url.absoluteString))")
        case .authentication: self.tell("sending the request again, with credentials")
        case .retry: self.tell("trying again")
        default: break
        }
    }

    func call(_ call: MonitoredCall, didBegin transaction: TransactionMetrics) {
        if transaction.reason == .repetition { self.tell("sending the request again") }
    }

    func call(_ call: MonitoredCall, didReach milestone: ExchangeMilestone, in transaction: TransactionMetrics) {
        guard self.descriptor != nil else { return }
        switch milestone {
        case .resolved(let count): self.tell("the host has \(count) \(count == 1 ? "address" : "addresses")")
        case .attempting(let address): self.tell("  trying \(address)")
        case .attempted(let address, .interrupted?): self.tell("  \(address): abandoned")
        case .attempted(let address, let failure?): self.tell("  \(address): \(failure)")
        case .proxySecured(let facts): self.tell("TLS with the proxy: \(Self.text(facts))")
        case .tunnelling: self.tell("asking the proxy for a tunnel")
        case .tunnelled: self.tell("the proxy opened a tunnel")
        case .secured(let facts): self.tell(Self.text(facts))
        case .begun(let connection):
            self.state.withLock { $0.version = connection.version }
            self.tell(Self.text(connection))
        case .headSent:
            let (call, version) = self.state.withLock { state in
                state.awaitsHead = true
                return (state.outgoing, state.version)
            }
            if let call { self.show(RequestText.head(of: call, version: version), ">") }
        default: break
        }
    }

    func call(_ call: MonitoredCall, didEnd transaction: TransactionMetrics) {
        guard self.descriptor != nil else { return }
        // The command reports the error, unless the request is sent again.
        guard transaction.error == nil else { return }
        let end = "received \(NumberFormat.bytes(transaction.received.body))"
        let isHeld = self.state.withLock { state in
            if state.awaitsHead { state.end = end }
            return state.awaitsHead
        }
        if !isHeld { self.tell(end) }
    }

    private static func text(_ facts: TLSFacts) -> String {
        [facts.version?.description, facts.cipherSuite?.description, facts.applicationProtocol]
            .compactMap(\.self).joined(separator: ", ")
    }

    private static func text(_ connection: ExchangeConnection) -> String {
        let remote = connection.addresses.remote ?? "the server"
        let proxy = connection.proxy.map { ", through the proxy \($0)" } ?? ""
        return connection.isReused ? "using the connection to \(remote) again" : "connected to \(remote)\(proxy)"
    }

    // MARK: Showing

    private func tell(_ text: String) { self.show(text, "*") }

    private func show(_ text: String, _ mark: Character) {
        guard let descriptor = self.descriptor else { return }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        System.show(lines.map { "\(mark) \(TerminalText.sanitized(String($0)))\n" }.joined(), on: descriptor)
    }
}

enum RequestText {
    /// Over HTTP/2, pseudo-fields have the form of HTTP/1.1, except `:protocol` (RFC 8441 §4).
    static func head(of call: HTTPCall, version: HTTPVersion) -> String {
        let request = call.request
        let isExtendedConnect = version == .http2 && call.upgrade == .webSocket
        let method = isExtendedConnect ? "CONNECT" : "\(request.method)"
        var lines = ["\(method) \(Self.shown(call.destination.target)) \(version)"]
        if isExtendedConnect { lines.append(":protocol: websocket") }
        if !request.fields.contains(where: { $0.name.canonicalName == "host" }) {
            lines.append("Host: \(call.destination.hostField)")
        }
        let sensitive = request.options.sensitiveFields
        for field in request.effectiveFields {
            let name = field.name.canonicalName
            if version == .http2, Self.connectionSpecificNames.contains(name) { continue }
            if isExtendedConnect, name == "sec-websocket-key" { continue }
            let isHidden = field.indexingStrategy == .disallow || sensitive.contains(field.name)
            lines.append(MaskedField.line(field.name.rawName, field.value, isHidden: isHidden))
        }
        if let body = request.body {
            let length = body.length.map { "Content-Length: \($0)" }
            if let line = length ?? (version == .http2 ? nil : "Transfer-Encoding: chunked") { lines.append(line) }
        } else if [.post, .put, .patch].contains(request.method) {
            lines.append("Content-Length: 0")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The fields that the transport does not send over HTTP/2 (RFC 9113 §8.2.2).
    private static let connectionSpecificNames = [
        "connection", "http2-settings", "keep-alive", "proxy-connection", "upgrade",
    ]

    /// Masks the query items whose names suggest a secret.
    static func shown(_ url: String) -> String { Secrets.masked(url: url) }
}

enum ResponseText {
    static func head(of response: Response) -> String {
        Self.head(response.status, response.receivedFields, version: response.httpVersion ?? .http11)
    }

    static func head(_ response: HTTPResponse) -> String {
        Self.head(response.status, response.headerFields, version: .http11)
    }

    private static func head(_ status: HTTPResponse.Status, _ fields: HTTPFields, version: HTTPVersion) -> String {
        let lines = fields.map { MaskedField.line($0.name.rawName, $0.value) }
        return (["\(version) \(status)"] + lines).joined(separator: "\n") + "\n"
    }
}

enum MaskedField {
    /// Shows only the scheme of credentials and the names of cookies; hides a value that the request marks as secret.
    static func line(_ name: String, _ value: String, isHidden: Bool = false) -> String {
        let shown =
            switch name.lowercased() {
            case "authorization", "proxy-authorization": Self.credentials(value)
            case "cookie": value.split(separator: ";").map { Self.cookie($0) }.joined(separator: ";")
            case "set-cookie": Self.setCookie(value)
            case "www-authenticate", "proxy-authenticate": value
            case "location", "content-location", "referer": RequestText.shown(value)
            default: isHidden || Secrets.areHeld(by: name) ? Secrets.mask : value
            }
        return shown.isEmpty ? "\(name):" : "\(name): \(shown)"
    }

    private static func credentials(_ value: String) -> String {
        value.firstIndex(of: " ").map { "\(value[..<$0]) \(Secrets.mask)" } ?? Secrets.mask
    }

    private static func cookie(_ pair: Substring) -> String {
        pair.firstIndex(of: "=").map { "\(pair[...$0])\(Secrets.mask)" } ?? Secrets.mask
    }

    private static func setCookie(_ value: String) -> String {
        let end = value.firstIndex(of: ";") ?? value.endIndex
        return Self.cookie(value[..<end]) + value[end...]
    }
}
