// SPDX-License-Identifier: Apache-2.0
import TernRequestFiles

extension EndpointWriter {
    /// Returns the Swift expression that creates a request, as a person would write it, with a modifier on each line.
    func expression(for request: RequestDefinition) -> [String] {
        let server =
            switch request.server {
            case .address(let text): "\"\(SwiftNames.literal(text))\""
            case .variable(let name): self.value(of: name)
            case .template(let template): self.literal(template)
            }
        var lines = ["Request(.\(request.method.lowercased()), \(server))"]
        if !request.target.isEmpty { lines.append(".target(\(self.literal(request.target)))") }
        for field in request.fields {
            let value = field.value.wholeVariable.flatMap { self.isText($0, of: request) ? self.value(of: $0) : nil }
            lines.append(".header(\"\(SwiftNames.literal(field.name))\", \(value ?? self.literal(field.value)))")
        }
        if let body = request.body { lines += self.modifier(for: body, of: request) }
        if !request.followsRedirects { lines.append(".redirects(.never)") }
        switch request.result {
        case .data, .lines: lines.append(".validate(.success)")
        case .void, .value, .webSocket: break  // the client's method checks the status
        case .events, .reconnectingEvents, .decodedEvents, .decodedRecords: break  // likewise
        }
        return lines.prefix(1) + lines.dropFirst().map(Self.indented)
    }

    private func modifier(for body: BodyDefinition, of request: RequestDefinition) -> [String] {
        let given = request.contentType.map { "\"\(SwiftNames.literal($0))\"" }
        switch body {
        case .json(let template):
            let isPlain = request.contentType == nil || request.contentType == "application/json"
            let type = isPlain ? nil : given.map { "contentType: \($0)" }
            return Self.call(".body", [["jsonText: \"\"\""] + self.lines(template)] + (type.map { [[$0]] } ?? []))
        case .form(let items):
            let pairs = items.map { "(\(self.text($0.name, of: request)), \(self.text($0.value, of: request)))" }
            return [".body(form: ["] + pairs.map { "    \($0)," } + ["])"] + self.typeOfForm(request)
        case .text(let template):
            let type = given.map { [["contentType: \($0)"]] } ?? []
            return Self.call(
                ".body",
                [["data: Data(", "    \"\"\""] + self.lines(template) + ["    .utf8", ")"]] + type
            )
        case .multipart: return []  // only requests that are sent have such a body
        case .file:
            return [".body(file: file\(given.map { ", contentType: \($0)" } ?? ""))"]
        }
    }

    /// Returns the modifier that sets the media type of a form, if this type differs from the default.
    private func typeOfForm(_ request: RequestDefinition) -> [String] {
        guard let type = request.contentType, type != "application/x-www-form-urlencoded" else { return [] }
        return [".header(\"Content-Type\", \"\(SwiftNames.literal(type))\")"]
    }

    private static func call(_ name: String, _ arguments: [[String]]) -> [String] {
        var lines = ["\(name)("]
        for (index, argument) in arguments.enumerated() {
            var argument = argument.map(Self.indented)
            if index < arguments.count - 1, let last = argument.popLast() { argument.append("\(last),") }
            lines += argument
        }
        return lines + [")"]
    }

    // MARK: Templates

    private func value(of name: String) -> String {
        let isProperty = self.file.variables.contains { $0.name == name }
        return isProperty ? "self.\(name)" : SwiftNames.escaped(name)
    }

    /// Returns whether a variable is a `String`, which can be an argument without a string literal around it.
    private func isText(_ name: String, of request: RequestDefinition) -> Bool {
        request.parameters.first { $0.name == name }.map { $0.type.text == "String" } ?? true
    }

    private func text(_ template: Template, of request: RequestDefinition) -> String {
        if let name = template.wholeVariable, self.isText(name, of: request) { return self.value(of: name) }
        return self.literal(template)
    }

    private func literal(_ template: Template) -> String {
        "\"\(template.mapText(SwiftNames.literal).text { "\\(\(self.value(of: $0)))" })\""
    }

    /// Returns the lines of a template in a multi-line string literal, and the end of the literal.
    private func lines(_ template: Template) -> [String] {
        let text = template.mapText(SwiftNames.lines).text { "\\(\(self.value(of: $0)))" }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { Self.indented("\($0)") } + [Self.indented("\"\"\"")]
    }
}
