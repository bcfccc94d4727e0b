// SPDX-License-Identifier: Apache-2.0
import TernRequestFiles

extension EndpointWriter {
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
        lines += request.result.parameters.map { "///   - \($0.documentation)" }
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
        parameters += request.result.parameters.map(\.swift)
        let name = SwiftNames.escaped(request.name ?? "")
        let effects = request.result == .reconnectingEvents ? "" : " async throws(ClientError)"
        let result = request.result.swift.map { " -> \($0)" } ?? ""
        let start = "\(self.access)func \(name)("
        let end = ")\(effects)\(result) {"
        return Self.list(start, parameters, end)
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
        case .events, .reconnectingEvents, .decodedEvents, .decodedRecords: self.callOfStream(request)
        }
    }
}

extension Parameter.DefaultValue {
    fileprivate var swift: String {
        switch self {
        case .text(let text): "\"\(SwiftNames.literal(text))\""
        case .number(let text): text
        case .bool(let value): "\(value)"
        case .null: "nil"
        }
    }
}
