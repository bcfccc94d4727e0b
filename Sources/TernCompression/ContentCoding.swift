// SPDX-License-Identifier: Apache-2.0

/// A content coding that a ``ContentDecoder`` reads (RFC 9110 §8.4.1).
public enum ContentCoding: CaseIterable, Hashable, Sendable {
    /// One or more gzip members (RFC 1952); `x-gzip` is the same.
    case gzip
    /// The zlib format (RFC 1950); also raw deflate, which servers send under this name by mistake.
    case deflate

    /// Creates the coding of that name.
    ///
    /// - Parameter token: one element of `Content-Encoding` without blanks around it; case does not matter. Any other
    ///   than `gzip`, `x-gzip` and `deflate` gives `nil`.
    public init?(_ token: some StringProtocol) {
        switch token.utf8.count <= 7 ? token.lowercased() : "" {
        case "gzip", "x-gzip": self = .gzip
        case "deflate": self = .deflate
        default: return nil
        }
    }

    /// The registered name, in lower case, as in `Content-Encoding` and `Accept-Encoding`.
    public var token: String {
        switch self {
        case .gzip: "gzip"
        case .deflate: "deflate"
        }
    }
}
