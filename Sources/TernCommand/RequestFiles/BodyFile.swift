// SPDX-License-Identifier: Apache-2.0
import TernFoundation

enum BodyFile {
    /// Returns a file inside the folder of the request file; only the user may name another file, because another person may have
    /// written the request file, which also names the server.
    static func url(_ path: String, in folder: URL, advice: String) throws(CommandFailure) -> URL {
        let root = folder.path.isEmpty ? "." : folder.path
        let place = path.hasPrefix("/") ? path : "\(root)/\(path)"
        if let real = System.realPath(place), let realRoot = System.realPath(root) {
            let prefix = realRoot.hasSuffix("/") ? realRoot : "\(realRoot)/"
            // Send the file that was checked, even if another process changes a link in the meantime.
            if real.utf8.starts(with: prefix.utf8) { return URL(filePath: real) }
        } else if !Self.leadsOut(path) {
            return URL(filePath: path, relativeTo: folder)  // the file does not exist, which the client reports
        }
        let message =
            "the request file names \(TerminalText.sanitized(path)), which is not inside of the folder of the request "
            + "file, so it is not sent; \(advice)"
        throw CommandFailure(outcome: .usage, message: message)
    }

    /// The maximum length of a file after `<@`, in bytes.
    static let maximumTemplateByteCount: Int64 = 1 << 20

    /// Checks that a file has no variables, which other editors replace in `<@ ./file`; without them, it is sent as it is.
    static func checkVariables(in file: URL) throws(CommandFailure) {
        guard let count = System.byteCount(ofFile: file.path), System.isRegularFile(atPath: file.path) == true else {
            return  // the client reports a missing file
        }
        let name = TerminalText.sanitized(file.lastPathComponent)
        guard count <= Self.maximumTemplateByteCount else {
            throw CommandFailure(outcome: .usage, message: "\(name) is longer than 1 MiB; write '<' instead of '<@'")
        }
        guard try System.contents(ofFile: file.path).firstRange(of: Data("{{".utf8)) == nil else {
            throw CommandFailure(
                outcome: .usage,
                message: "\(name) has variables, which tern-cli does not replace; write the body into the request file"
            )
        }
    }

    /// Returns whether a path is absolute, or has more `..` than folders before them.
    private static func leadsOut(_ path: String) -> Bool {
        guard !path.hasPrefix("/") else { return true }
        var depth = 0
        for component in path.split(separator: "/") where component != "." {
            depth += component == ".." ? -1 : 1
            if depth < 0 { return true }
        }
        return false
    }
}
