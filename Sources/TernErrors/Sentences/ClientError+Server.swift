// SPDX-License-Identifier: Apache-2.0

extension Sentence {
    /// Returns advice about a status, in words that can follow a semicolon; `nil` if there is no advice.
    static func advice(for statusCode: Int) -> String? {
        switch statusCode {
        case 401, 407: "sign in and try again"
        case 403: "access is not allowed"
        case 404, 410: "the item does not exist"
        case 429: "there were too many requests, so try again later"
        case let code where ClientError.transientStatusCodes.contains(code): "try again later"
        default: nil
        }
    }

    /// Returns advice about a status that refuses a WebSocket, like ``advice(for:)``.
    static func adviceOnWebSocket(for statusCode: Int) -> String? {
        switch statusCode {
        case 404, 410: "the server has no WebSocket at this address"
        default: self.advice(for: statusCode)
        }
    }
}

extension ClientError.Context {
    /// The server, as a part of a sentence: its host, followed by any port that is not the scheme's default.
    ///
    /// If the origin is not an HTTP origin with a valid host, the text is "the server".
    var server: String {
        let text = self.origin
        let (scheme, port) = text.hasPrefix("https://") ? ("https://", ":443") : ("http://", ":80")
        guard text.hasPrefix(scheme) else { return Self.unknownServer }
        var host = text.dropFirst(scheme.count)
        if host.hasSuffix(port) { host = host.dropLast(port.count) }
        guard !host.isEmpty, host.utf8.allSatisfy(Self.isHostByte) else { return Self.unknownServer }
        return ForeignText.shown(String(host), length: Sentence.maximumHostLength)
    }

    /// The words for a server without a known name.
    static let unknownServer = "the server"

    /// The words "the proxy" while the client connects to a proxy or asks it for a tunnel; otherwise ``server``.
    var peer: String { self.phase == .proxy ? "the proxy" : self.server }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "%"):
            true
        default: false
        }
    }
}
