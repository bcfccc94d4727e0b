// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One file of the mirror: its URL and its path.
struct MirrorItem: Hashable, Sendable {
    /// The reason why a line of the list cannot be mirrored.
    struct UnusableLine: Error, CustomStringConvertible {
        let number: Int
        let reason: String
        var description: String { "line \(self.number): \(self.reason)" }
    }

    let url: URL
    /// The path below the mirror's folder: the host, then the path and the query of the URL.
    let path: String

    /// Reads a list with a URL on each line; skips empty lines, lines that begin with `#`, and repeated URLs.
    static func list(_ text: String) throws(UnusableLine) -> [MirrorItem] {
        var items: [MirrorItem] = []
        var known: [String: URL] = [:]
        var folders: Set<String> = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.trimmingCharacters(in: .whitespacesAndNewlines)
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            guard let item = MirrorItem(line) else {
                let reason = "give an http or https URL whose host is a name, without \"..\" in its path"
                throw UnusableLine(number: index + 1, reason: reason)
            }
            let other = known.updateValue(item.url, forKey: item.path)
            guard other == nil || other == item.url else {
                throw UnusableLine(number: index + 1, reason: "another URL above goes to the same file, \(item.path)")
            }
            // `/c` and `/c/b` can both be files on a server. In the mirror, `/c` would have to be a file and a folder.
            folders.formUnion(item.folders)
            if let both = ([item.path] + item.folders).first(where: { folders.contains($0) && known[$0] != nil }) {
                throw UnusableLine(number: index + 1, reason: "with a URL above, \(both) would be a file and a folder")
            }
            if other == nil { items.append(item) }
        }
        return items
    }

    /// The folders that contain the file, within the mirror's folder.
    private var folders: [String] {
        let names = self.path.split(separator: "/")
        return names.indices.dropFirst().map { names[..<$0].joined(separator: "/") }
    }

    init?(_ text: String) {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host, Self.isName(host),
            let parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        else { return nil }
        var names = parts.percentEncodedPath.split(separator: "/").map(String.init)
        // Names stay percent-encoded, so no name has a slash. Refuse names that lead out of the folder.
        guard !names.contains(".."), !names.contains(".") else { return nil }
        if names.isEmpty || parts.percentEncodedPath.hasSuffix("/") { names.append("index") }
        if let query = parts.percentEncodedQuery {
            names[names.count - 1] += "?\(query.replacingOccurrences(of: "/", with: "%2F"))"
        }
        let place = url.port.map { "\(host.lowercased())_\($0)" } ?? host.lowercased()
        self.url = url
        self.path = ([place] + names).joined(separator: "/")
    }

    /// Whether a host, already percent-decoded, may be the name of a folder; `.parts` is that for partial files.
    private static func isName(_ host: String) -> Bool {
        !host.isEmpty && !host.hasPrefix(".") && !host.contains("/") && !host.contains("\0")
    }
}
