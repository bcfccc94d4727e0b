// SPDX-License-Identifier: Apache-2.0
import TernRequestFiles

/// Writes the Swift type for a request file: the variables that its requests use become properties, and named requests methods.
struct EndpointWriter {
    let file: RequestFile
    let typeName: String
    let fileName: String

    init(_ file: RequestFile, typeName: String, fileName: String) {
        self.file = file
        self.typeName = typeName
        self.fileName = fileName
    }

    var code: String {
        var lines = ["// Generated from \(self.fileName) by TernEndpoints. Edit that file instead of this one."]
        lines += ["\(self.access)import Tern", ""] + self.foundation + self.documentation
        lines += ["\(self.access)struct \(self.typeName): Sendable {"]
        lines += (self.properties + [""] + self.initializer).map(Self.indented)
        for request in self.file.requests where request.name != nil {
            lines += [""] + self.method(for: request).map(Self.indented)
        }
        lines += ["}"]
        if self.hidesValues { lines += [""] + self.descriptions }
        return lines.joined(separator: "\n") + "\n"
    }

    static func indented(_ line: String) -> String { line.isEmpty ? line : "    \(line)" }

    var access: String { self.file.isPublic ? "public " : "" }

    /// The lines that import Foundation if a method needs it; the import is public only if a public signature needs it.
    private var foundation: [String] {
        let requests = self.file.requests.filter { $0.name != nil }
        let isInSignature = requests.contains { request in
            request.sendsFile || request.result == .data || request.result.needsFoundation
                || request.parameters.contains { $0.type.needsFoundation }
        }
        guard isInSignature || requests.contains(where: \.sendsText) else { return [] }
        let access = isInSignature ? self.access : ""
        return [
            "#if canImport(FoundationEssentials)", "\(access)import FoundationEssentials", "#else",
            "\(access)import Foundation", "#endif", "",
        ]
    }

    private var documentation: [String] {
        let lines = self.file.documentation.isEmpty ? ["The requests of `\(self.fileName)`."] : self.file.documentation
        return DocumentationText.lines(title: nil, lines)
    }

    // MARK: Variables

    private var properties: [String] {
        var lines = ["/// The client that sends the requests.", "\(self.access)var client: Client"]
        for variable in self.file.usedVariables {
            let meaning = variable.value == nil ? "The address of the server, `{{" : "The value of `{{"
            lines += ["/// \(meaning)\(variable.name)}}` in the file."]
            lines += ["\(self.access)var \(SwiftNames.escaped(variable.name)): String"]
        }
        return lines
    }

    private var initializer: [String] {
        let variables = self.file.usedVariables
        var lines = ["/// Creates a value that sends the requests of the file.", "///", "/// - Parameters:"]
        lines += ["///   - client: The client that sends the requests. Defaults to the shared one."]
        lines += variables.map { variable in
            variable.value == nil
                ? "///   - \(variable.name): The address of the server, such as `https://example.com`."
                : "///   - \(variable.name): The value of `{{\(variable.name)}}`. Defaults to that of the file."
        }
        let parameters = ["client: Client = .shared"] + variables.map(Self.parameter)
        lines += Self.list("\(self.access)init(", parameters, ") {") + ["    self.client = client"]
        lines += variables.map { "    self.\($0.name) = \(SwiftNames.escaped($0.name))" }
        return lines + ["}"]
    }

    private static func parameter(_ variable: FileVariable) -> String {
        let value = variable.value.map { " = \"\(SwiftNames.literal($0))\"" } ?? ""
        return "\(SwiftNames.escaped(variable.name)): String\(value)"
    }

    /// Returns the lines of a signature or a call: one line if it fits at this indentation, otherwise a line for each element.
    static func list(_ start: String, _ elements: [String], _ end: String, indentation: Int = 4) -> [String] {
        let line = start + elements.joined(separator: ", ") + end
        if line.utf8.count <= 120 - indentation { return [line] }
        return [start] + Self.list(elements).map(Self.indented) + [end]
    }

    static func list(_ elements: [String]) -> [String] {
        elements.enumerated().map { $0 < elements.count - 1 ? "\($1)," : $1 }
    }

    /// Whether descriptions of the type hide the values of variables, which may be tokens.
    private var hidesValues: Bool { !self.file.usedVariables.isEmpty }

    private var descriptions: [String] {
        [
            "extension \(self.typeName): CustomStringConvertible, CustomReflectable {",
            "    /// The name of the type, without the variables, which may be secrets.",
            "    \(self.access)var description: String { \"\(self.typeName)\" }",
            "",
            "    /// An empty mirror, so that `dump` shows no values.",
            "    \(self.access)var customMirror: Mirror { Mirror(self, children: []) }",
            "}",
        ]
    }
}

extension RequestDefinition {
    fileprivate var sendsText: Bool {
        if case .text? = self.body { true } else { false }
    }
}

extension RequestDefinition.ResultKind {
    /// Whether the type may be one of Foundation's, such as `Date`.
    fileprivate var needsFoundation: Bool {
        switch self {
        case .value(let type), .decodedEvents(let type), .decodedRecords(let type): type.needsFoundation
        default: false
        }
    }
}

extension TypeName {
    fileprivate var needsFoundation: Bool {
        ["Date", "URL", "UUID", "Data", "Decimal", "Locale", "TimeZone", "Calendar"].contains { self.text.contains($0) }
    }
}
