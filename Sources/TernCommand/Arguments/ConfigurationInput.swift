// SPDX-License-Identifier: Apache-2.0
import TernFoundation

/// Reads the files of `--config`.
protocol ConfigurationInput: Sendable {
    /// Returns the content of a file, or of standard input for `-`.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - name: The name of the file in messages.
    /// - Returns: The bytes.
    /// - Throws: `CommandFailure` if the file cannot be read, or if it is too long.
    func bytes(ofConfiguration path: String, called name: String) throws(CommandFailure) -> Data
}

/// Reads files and standard input.
struct SystemConfigurationInput: ConfigurationInput {
    func bytes(ofConfiguration path: String, called name: String) throws(CommandFailure) -> Data {
        let file = path == "-" ? "/dev/stdin" : path
        let limit = ConfigurationFile.maximumByteCount
        guard let data = System.contents(ofFile: file, atMost: limit) else {
            throw CommandFailure(outcome: .usage, message: "the configuration file \(name) cannot be read")
        }
        guard data.count <= limit else {
            let length = NumberFormat.bytes(Int64(limit))
            throw CommandFailure(outcome: .usage, message: "\(name) is longer than \(length)")
        }
        return data
    }
}
