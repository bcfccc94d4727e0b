// SPDX-License-Identifier: Apache-2.0

/// A URL of a command line, with the file for its response and the file to send to it.
///
/// As in curl, the first `-o` or `-O` belongs to the first URL, the second one to the second URL, and so on, whatever
/// the order of URLs and files is. `-T` does the same.
struct TransferArgument: Equatable, Sendable {
    /// The place for a response.
    enum Output: Equatable, Sendable {
        /// A file, or standard output for `-`.
        case file(String)
        /// A file named after the last part of the URL's path.
        case remoteName
        /// Standard output, because the user has typed `--no-remote-name`.
        case standardOutput
    }

    /// The URL; `nil` if there are more files than URLs.
    var url: String?
    /// The place for the response; `nil` if the user has typed none.
    var output: Output?
    /// The file to send; `nil` if the user has typed none.
    var uploadFile: String?

    /// The words for the parser that choose the place for the response.
    var outputWords: [String] {
        switch self.output {
        case .file(let path): Self.words("output", path)
        case .remoteName: ["--remote-name"]
        case .standardOutput, nil: []
        }
    }

    /// The words for the parser that choose the file to send.
    var uploadWords: [String] { self.uploadFile.map { Self.words("upload-file", $0) } ?? [] }

    /// Returns the words for an option and its value.
    ///
    /// The parser takes the next word as the value if there is no text after the equals sign, and a combining mark would
    /// merge with the sign.
    static func words(_ name: String, _ value: String) -> [String] {
        !value.isEmpty && "=\(value)".first == "=" ? ["--\(name)=\(value)"] : ["--\(name)", value]
    }
}
