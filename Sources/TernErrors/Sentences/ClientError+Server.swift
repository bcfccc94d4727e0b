// SPDX-License-Identifier: Apache-2.0

extension Sentence {
    /// Returns words that can follow a semicolon.
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

    static func adviceOnWebSocket(for statusCode: Int) -> String? {
        switch statusCode {
        case 404, 410: "the server has no WebSocket at this address"
        default: self.advice(for: statusCode)
        }
    }
}

extension ClientError.Context {
    /// The host, with a port that is not the scheme's default; "the server" if the origin has no valid host.
    var server: String {
        let text = self.origin
        let (scheme, port) = text.hasPrefix("https://") ? ("https://", ":443") : ("http://", ":80")
        guard text.hasPrefix(scheme) else { return Self.unknownServer }
        var host = text.dropFirst(scheme.count)
        if host.hasSuffix(port) { host = host.dropLast(port.count) }
        guard !host.isEmpty, host.utf8.allSatisfy(Self.isHostByte) else { return Self.unknownServer }
        return ForeignText.shown(String(host), length: Sentence.maximumHostLength)
    }

    static let unknownServer = "the server"

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
