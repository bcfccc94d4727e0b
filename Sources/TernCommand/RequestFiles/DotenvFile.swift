// SPDX-License-Identifier: Apache-2.0

/// The variables of a `.env` file: lines `NAME=value`; other lines are left out.
struct DotenvFile {
    /// The maximum length of a file `.env`, in bytes.
    ///
    /// Beyond it, the request is not sent.
    static let maximumByteCount = 64 << 10

    private var values: [String: String] = [:]

    init(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            var line = line.trimmingPrefix(while: \.isWhitespace)
            if line.hasPrefix("export ") { line = line.dropFirst(7) }
            guard !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") else { continue }
            let name = line[..<equals].filter { !$0.isWhitespace }
            var value = line[equals...].dropFirst().trimmingPrefix(while: \.isWhitespace)
            while value.last?.isWhitespace == true { value.removeLast() }
            if let quote = value.first, quote == "\"" || quote == "'", value.count > 1, value.last == quote {
                value = value.dropFirst().dropLast()
            }
            self.values[String(name)] = String(value)
        }
    }

    subscript(name: String) -> String? { self.values[name] }
}
