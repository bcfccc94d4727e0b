// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernConnections

/// Addresses for a host and a port, as typed for `--resolve`: `host:port:address[,address]`.
struct AddressArgument: ExpressibleByArgument, Equatable, Sendable {
    /// The host, in lower case and without brackets; `nil` for `*`, any host.
    let host: String?
    let port: Int
    let addresses: [String]

    /// Parses addresses; curl's leading `+` is allowed.
    init?(argument: String) {
        var rest = argument.hasPrefix("+") ? argument.dropFirst() : argument[...]
        guard let host = HostPort.takeHost(&rest), !host.isEmpty, rest.popFirst() == ":" else { return nil }
        let digits = rest.prefix { $0 != ":" }
        guard let port = UInt16(digits), port > 0 else { return nil }
        rest = rest[digits.endIndex...]
        guard rest.popFirst() == ":" else { return nil }
        let addresses = rest.split(separator: ",", omittingEmptySubsequences: false).map {
            HostPort.withoutBrackets($0)
        }
        guard addresses.allSatisfy({ HostPort.isAddress($0) }) else { return nil }
        self.host = host == "*" ? nil : host
        self.port = Int(port)
        self.addresses = addresses
    }
}

/// The host and the port to connect to, as typed for `--connect-to`: `host:port:host:port`.
struct ConnectToArgument: ExpressibleByArgument, Equatable, Sendable {
    /// The host and the port of the URL; `nil` matches every host or every port.
    let host: String?
    let port: Int?
    /// The host and the port to connect to; `nil` keeps those of the URL.
    let newHost: String?
    let newPort: Int?

    /// Parses two hosts and ports, each of which may be empty; the last port and its colon may be missing.
    init?(argument: String) {
        var rest = argument[...]
        guard let host = HostPort.takeHost(&rest), rest.popFirst() == ":" else { return nil }
        let digits = rest.prefix { $0 != ":" }
        rest = rest[digits.endIndex...]
        guard rest.popFirst() == ":", let newHost = HostPort.takeHost(&rest) else { return nil }
        if !rest.isEmpty { guard rest.popFirst() == ":" else { return nil } }
        guard digits.isEmpty || UInt16(digits) != nil, rest.isEmpty || UInt16(rest) != nil else { return nil }
        self.host = host.isEmpty ? nil : host
        self.port = Int(digits)
        self.newHost = newHost.isEmpty ? nil : newHost
        self.newPort = Int(rest)
    }
}

private enum HostPort {
    /// Removes a host, in brackets or up to a colon, and returns it in lower case and without brackets.
    static func takeHost(_ text: inout Substring) -> String? {
        guard text.first == "[" else {
            let host = text.prefix { $0 != ":" }
            text = text[host.endIndex...]
            return host.lowercased()
        }
        guard let end = text.firstIndex(of: "]") else { return nil }
        let host = text[..<end].dropFirst()
        text = text[text.index(after: end)...]
        return host.lowercased()
    }

    static func withoutBrackets(_ text: Substring) -> String {
        text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : String(text)
    }

    /// Returns whether a text is an IPv4 address or may be an IPv6 address, which the connector parses later.
    static func isAddress(_ text: String) -> Bool {
        if text.contains(":") { return text.allSatisfy { $0.isHexDigit || ":.%".contains($0) || $0.isLetter } }
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
    }
}

struct AddressOverrides: Equatable, Sendable {
    /// The `--connect-to` options, of which the first that matches counts.
    let connectTo: [ConnectToArgument]
    /// The `--resolve` options: one that names the host counts first, and then, as in curl, the last that matches.
    let resolve: [AddressArgument]

    var isEmpty: Bool { self.connectTo.isEmpty && self.resolve.isEmpty }

    /// Returns the endpoints in the order in which to try them; never empty.
    func endpoints(for endpoint: ConnectionEndpoint) -> [ConnectionEndpoint] {
        guard case .host(var host, var port) = endpoint else { return [endpoint] }
        let target = self.connectTo.first { rule in
            (rule.host.map { $0 == host.lowercased() } ?? true) && (rule.port.map { $0 == port } ?? true)
        }
        if let target { (host, port) = (target.newHost ?? host, target.newPort ?? port) }
        let fitting = self.resolve.filter { $0.port == port }
        let rule = fitting.last { $0.host == host.lowercased() } ?? fitting.last { $0.host == nil }
        return rule.map { rule in rule.addresses.map { .host($0, port: port) } } ?? [.host(host, port: port)]
    }
}

struct RetargetedConnector: Connector {
    let base: any Connector
    let overrides: AddressOverrides

    var executor: (any TaskExecutor)? { self.base.executor }

    func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?
    ) async throws(ConnectionError) -> any Connection {
        try await self.connect(to: endpoint, deadline: deadline, reporting: nil)
    }

    func connect(
        to endpoint: ConnectionEndpoint,
        deadline: CallDeadline?,
        reporting report: (@Sendable (ConnectionMilestone) -> Void)?
    ) async throws(ConnectionError) -> any Connection {
        let endpoints = self.overrides.endpoints(for: endpoint)
        for other in endpoints.dropLast() {
            do throws(ConnectionError) {
                return try await self.base.connect(to: other, deadline: deadline, reporting: report)
            } catch {
                guard case .notConnected = error else { throw error }
            }
        }
        return try await self.base.connect(to: endpoints.last ?? endpoint, deadline: deadline, reporting: report)
    }
}
