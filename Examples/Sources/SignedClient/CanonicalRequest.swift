// SPDX-License-Identifier: Apache-2.0

/// The text that Signature Version 4 signs, which is the same for all equivalent requests.
///
/// ```text
/// GET
/// /photos
/// page=2
/// host:photos.example.com
/// x-amz-date:20150830T123600Z
///
/// host;x-amz-date
/// e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
/// ```
struct CanonicalRequest: Sendable {
    var method: String
    /// The path and query of the request line.
    var target: String
    /// By their names in lower case.
    var fields: [String: String]
    var bodyHash: String
    /// Whether to remove `.`, `..` and empty names from the path and to encode it again, as all services except S3 demand.
    var encodesPathTwice = true

    var signedNames: String { self.fields.keys.sorted().joined(separator: ";") }

    var text: String {
        let lines = self.fields.sorted { $0.key < $1.key }.map { "\($0.key):\(Self.collapsed($0.value))" }
        let parts = [self.method, self.path, self.query] + lines + ["", self.signedNames, self.bodyHash]
        return parts.joined(separator: "\n")
    }

    private var path: String {
        let path = self.target.prefix { $0 != "?" }
        let bytes = self.encodesPathTwice ? Array(Self.normalized(path).utf8) : PercentEncoding.decode(path)
        return PercentEncoding.encode(bytes, keepsSlashes: true)
    }

    /// Returns a path without dot segments (RFC 3986 §5.2.4), and without empty names, as AWS demands.
    private static func normalized(_ path: Substring) -> String {
        var names: [Substring] = []
        for name in path.split(separator: "/") where name != "." {
            if name == ".." { _ = names.popLast() } else { names.append(name) }
        }
        let end = path.hasSuffix("/") && !names.isEmpty ? "/" : ""
        return "/" + names.joined(separator: "/") + end
    }

    /// The sorted parameters, each decoded and encoded again, so that the way in which the URL encodes it does not matter.
    private var query: String {
        guard let mark = self.target.firstIndex(of: "?") else { return "" }
        let parameters = self.target[mark...].dropFirst().split(separator: "&").map { parameter in
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.encoded(parts[0]), parts.count > 1 ? Self.encoded(parts[1]) : "")
        }
        return parameters.sorted(by: <).map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    private static func encoded(_ text: Substring) -> String { PercentEncoding.encode(PercentEncoding.decode(text)) }

    /// Returns a value without white space at its ends, and with one space in place of each run of spaces.
    private static func collapsed(_ value: String) -> String {
        value.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ")
    }
}
