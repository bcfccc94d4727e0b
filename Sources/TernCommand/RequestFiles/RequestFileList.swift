// SPDX-License-Identifier: Apache-2.0
import TernRequestFiles

enum RequestFileList {
    /// Returns a line for each request: its name, its method and URL, its variables, and its title if it has no name.
    static func text(_ file: RequestFile) -> String {
        let names = file.requests.map { $0.name ?? "-" }
        let width = names.map(\.count).max() ?? 0
        return zip(file.requests, names).map { request, name in
            let padding = String(repeating: " ", count: width - name.count)
            let needs = request.parameters.map(Self.need) + (request.sendsFile ? ["file"] : [])
            let title = request.name == nil ? request.title.map { "  ### \($0)" } : nil
            let values = needs.isEmpty ? "" : "  (\(needs.joined(separator: ", ")))"
            let line = "\(name)\(padding)  \(request.method) \(request.urlText)\(values)\(title ?? "")"
            return TerminalText.sanitized(line) + "\n"
        }.joined()
    }

    private static func need(_ parameter: Parameter) -> String {
        "\(parameter.name): \(parameter.type)\(parameter.defaultValue == nil ? "" : " = …")"
    }
}
