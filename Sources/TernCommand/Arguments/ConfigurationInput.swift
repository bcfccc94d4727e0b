// SPDX-License-Identifier: Apache-2.0
import TernFoundation

protocol ConfigurationInput: Sendable {
    /// Returns the content of a file, or of standard input for `-`.
    func bytes(ofConfiguration path: String, called name: String) throws(CommandFailure) -> Data
}

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
