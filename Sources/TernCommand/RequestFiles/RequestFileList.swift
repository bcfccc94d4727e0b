// SPDX-License-Identifier: Apache-2.0
import TernRequestFiles

/// What is in a request file, for people.
enum RequestFileList {
    /// A line for each request: its name, its method and URL, and what it needs.
    static func text(_ file: RequestFile) -> String {
        let names = file.requests.map { $0.name ?? "-" }
        let width = names.map(\.count).max() ?? 0
        return zip(file.requests, names).map { request, name in
            let padding = String(repeating: " ", count: width - name.count)
            let needs = request.parameters.map(Self.need) + (request.sendsFile ? ["file"] : [])
            let line = "\(name)\(padding)  \(request.method) \(request.urlText)"
            return TerminalText.harmless(needs.isEmpty ? line : "\(line)  (\(needs.joined(separator: ", ")))") + "\n"
        }.joined()
    }

    private static func need(_ parameter: Parameter) -> String {
        "\(parameter.name): \(parameter.type)\(parameter.defaultValue == nil ? "" : " = …")"
    }
}
