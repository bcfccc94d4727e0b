// SPDX-License-Identifier: Apache-2.0

/// A URL of a command line, with the file for its response and the file to send to it; as in curl, the order of URLs and files
/// does not matter.
struct TransferArgument: Equatable, Sendable {
    enum Output: Equatable, Sendable {
        case file(String)
        case remoteName
        /// The option `--no-remote-name`.
        case standardOutput
    }

    /// The URL; `nil` if there are more files than URLs.
    var url: String?
    var output: Output?
    var uploadFile: String?

    var outputWords: [String] {
        switch self.output {
        case .file(let path): Self.words("output", path)
        case .remoteName: ["--remote-name"]
        case .standardOutput, nil: []
        }
    }

    var uploadWords: [String] { self.uploadFile.map { Self.words("upload-file", $0) } ?? [] }

    /// The parser takes the next word if no text follows the equals sign, and a combining mark would merge with the sign.
    static func words(_ name: String, _ value: String) -> [String] {
        !value.isEmpty && "=\(value)".first == "=" ? ["--\(name)=\(value)"] : ["--\(name)", value]
    }
}
