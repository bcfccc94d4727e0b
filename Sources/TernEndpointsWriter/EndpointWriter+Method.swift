// SPDX-License-Identifier: Apache-2.0
import TernRequestFiles

extension EndpointWriter {
    /// Returns the lines of the method that sends a request: documentation, signature and body.
    func method(for request: RequestDefinition) -> [String] {
        var lines = self.documentation(of: request)
        lines += self.signature(of: request)
        lines += (["let request = \(self.expression(for: request).joined(separator: "\n"))"] + self.call(of: request))
            .joined(separator: "\n").split(separator: "\n", omittingEmptySubsequences: false).map {
                Self.indented("\($0)")
            }
        return lines + ["}"]
    }

    // MARK: Documentation

    private func documentation(of request: RequestDefinition) -> [String] {
        let fallback = ["Sends `\(request.method)` to `\(request.target.text { "{\($0)}" })`."]
        let text = request.title == nil && request.documentation.isEmpty ? fallback : request.documentation
        var lines = DocumentationText.lines(title: request.title, text)
        lines += ["///", "/// - Parameters:"]
        lines += request.parameters.map { parameter in
            let meaning = parameter.documentation ?? "The value of `{{\(parameter.name)}}`"
            return "///   - \(parameter.name): \(DocumentationText.clause(meaning))"
        }
        if request.sendsFile { lines += ["///   - file: The file to send."] }
        if request.isWebSocket {
            lines += ["///   - options: The settings of the WebSocket. Defaults to `WebSocketOptions()`."]
        }
        lines += ["///   - delegate: Handles this call's challenges and events. Defaults to `nil`."]
        if let result = request.result.documentation { lines += ["/// - Returns: \(result)"] }
        return lines + request.result.failure.map { "/// \($0)" }
    }

    // MARK: Signature

    private func signature(of request: RequestDefinition) -> [String] {
        var parameters = request.parameters.map { parameter in
            let value = parameter.defaultValue.map { " = \($0.swift)" } ?? ""
            return "\(SwiftNames.escaped(parameter.name)): \(parameter.type)\(value)"
        }
        if request.sendsFile { parameters.append("file: URL") }
        if request.isWebSocket { parameters.append("options: WebSocketOptions = WebSocketOptions()") }
        parameters.append("delegate: (any TaskDelegate)? = nil")
        let name = SwiftNames.escaped(request.name ?? "")
        let result = request.result.swift.map { " -> \($0)" } ?? ""
        let start = "\(self.access)func \(name)("
        let end = ") async throws(ClientError)\(result) {"
        return Self.signature(start, parameters, end)
    }

    // MARK: Body

    private func call(of request: RequestDefinition) -> [String] {
        switch request.result {
        case .value: ["return try await self.client.value(for: request, delegate: delegate)"]
        case .void: ["try await self.client.send(request, delegate: delegate)"]
        case .data:
            ["let (data, _) = try await self.client.data(for: request, delegate: delegate)", "return data"]
        case .lines:
            ["let (bytes, _) = try await self.client.bytes(for: request, delegate: delegate)", "return bytes.lines"]
        case .webSocket:
            ["return try await self.client.webSocket(for: request, options: options, delegate: delegate)"]
        }
    }
}

extension Parameter.DefaultValue {
    /// The value as Swift source.
    fileprivate var swift: String {
        switch self {
        case .text(let text): "\"\(SwiftNames.literal(text))\""
        case .number(let text): text
        case .bool(let value): "\(value)"
        case .null: "nil"
        }
    }
}

extension RequestDefinition.ResultKind {
    /// The type as Swift source; `nil` for no value.
    fileprivate var swift: String? {
        switch self {
        case .data: "Data"
        case .void: nil
        case .lines: "ResponseBytes.Lines"
        case .webSocket: "WebSocket"
        case .value(let type): type.text
        }
    }

    fileprivate var documentation: String? {
        switch self {
        case .data: "The response body."
        case .void: nil
        case .lines: "The lines of the response body, as they arrive."
        case .webSocket: "The open WebSocket; releasing it closes it."
        case .value: "The value in the body of the response."
        }
    }

    fileprivate var failure: [String] {
        let status = "- Throws: `ClientError`; `.validationFailed` for a status other than 2xx"
        return switch self {
        case .data, .void, .lines: ["\(status)."]
        case .webSocket: ["- Throws: `ClientError`; `.webSocketRefused` if the server refuses it."]
        case .value: ["\(status), `.decodingFailed` if the body", "  cannot be decoded."]
        }
    }
}
