// SPDX-License-Identifier: Apache-2.0
import TernFoundation

/// A file that a request file names, such as the body in `< ./dog.jpg`.
enum BodyFile {
    /// Returns the file at a path in a request file, if it is inside of the folder of the request file.
    ///
    /// A request file often comes from another person, and it also names the server. So it must not choose any file of
    /// this machine: an absolute path, `..` and a symbolic link may not lead out of the folder. Only the user may name
    /// such a file.
    ///
    /// - Parameters:
    ///   - path: The path in the request file.
    ///   - folder: The folder of the request file.
    ///   - advice: The end of the message, which says how to send the file anyway.
    /// - Returns: The file, without symbolic links in its path if it exists.
    /// - Throws: `CommandFailure` if the path leads out of the folder.
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

    /// The maximum number of bytes of a file in which other editors replace variables: 1 MiB.
    static let maximumTemplateByteCount: Int64 = 1 << 20

    /// Checks that a file has no variables.
    ///
    /// In `<@ ./file`, other editors replace the variables in the file. Without the variables, the file is sent as it
    /// is.
    ///
    /// - Throws: `CommandFailure` if the file has variables, or is too long to look for them.
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
