// SPDX-License-Identifier: Apache-2.0
import TernErrors

/// Parses the text of a URL from left to right: scheme, authority, target (RFC 3986 §3).
enum DestinationParser {
    static func parse(_ bytes: borrowing Span<UInt8>) throws(RequestFailure) -> Destination {
        let (scheme, start) = try self.scheme(in: bytes)
        let authority = try self.authority(in: bytes, from: start, scheme: scheme)
        let target = try self.target(in: bytes, from: authority.end)
        let origin = Origin(scheme: scheme, canonicalHost: authority.host, port: authority.port)
        return Destination(
            origin: origin,
            target: target,
            hostField: self.hostField(origin, isIPv6: authority.isIPv6),
            userInfo: authority.userInfo
        )
    }

    private struct Authority {
        var host: String
        var isIPv6: Bool
        var port: Int
        var userInfo: Destination.UserInfo?
        var end: Int
    }

    private static func authority(
        in bytes: borrowing Span<UInt8>,
        from start: Int,
        scheme: Origin.Scheme
    ) throws(RequestFailure) -> Authority {
        // "The authority component […] is terminated by the next slash, question mark, or number sign" (RFC 3986 §3.2).
        var end = start
        var at: Int?
        scan: while end < bytes.count {
            switch bytes[end] {
            case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): break scan
            // A second "@" stays in the host, so that the host parser refuses it: parsers disagree about which "@" ends
            // the user and the password.
            case UInt8(ascii: "@") where at == nil: at = end
            // Some parsers read a backslash as a slash, so that the host ends before it.
            case UInt8(ascii: "\\"): throw .malformedHost
            default: break
            }
            end += 1
        }
        let hostStart = at.map { $0 + 1 } ?? start
        let host = try HostParser.parse(bytes, from: hostStart, to: end)
        return Authority(
            host: host.text,
            isIPv6: host.isIPv6,
            port: try self.port(in: bytes, from: host.end, to: end) ?? scheme.defaultPort,
            userInfo: at.map { self.userInfo(in: bytes, from: start, to: $0) },
            end: end
        )
    }

    private static func scheme(in bytes: borrowing Span<UInt8>) throws(RequestFailure) -> (Origin.Scheme, Int) {
        // "An implementation should accept uppercase letters as equivalent to lowercase in scheme names" (§3.1).
        guard
            bytes.count > 4,
            bytes[0] | 0x20 == UInt8(ascii: "h"), bytes[1] | 0x20 == UInt8(ascii: "t"),
            bytes[2] | 0x20 == UInt8(ascii: "t"), bytes[3] | 0x20 == UInt8(ascii: "p")
        else { throw self.schemeProblem(in: bytes) }
        let isSecure = bytes[4] | 0x20 == UInt8(ascii: "s")
        let colon = isSecure ? 5 : 4
        guard colon < bytes.count, bytes[colon] == UInt8(ascii: ":") else { throw self.schemeProblem(in: bytes) }
        guard
            colon + 2 < bytes.count,
            bytes[colon + 1] == UInt8(ascii: "/"), bytes[colon + 2] == UInt8(ascii: "/")
        else { throw .missingHost }
        return (isSecure ? .https : .http, colon + 3)
    }

    private static func schemeProblem(in bytes: borrowing Span<UInt8>) -> RequestFailure {
        var end = 0
        while end < bytes.count, bytes[end].isSchemeByte { end += 1 }
        guard end > 0, end < bytes.count, bytes[end] == UInt8(ascii: ":"), bytes[0].isLetter else {
            let hasHost = bytes.count > 2 && bytes[0] == UInt8(ascii: "/") && bytes[1] == UInt8(ascii: "/")
            return hasHost ? .missingScheme : .relativeURL
        }
        return .unsupportedScheme(ForeignText.scheme(String(lowercasing: bytes.extracting(0..<end))))
    }

    private static func port(
        in bytes: borrowing Span<UInt8>,
        from start: Int,
        to end: Int
    ) throws(RequestFailure) -> Int? {
        guard start < end else { return nil }
        guard bytes[start] == UInt8(ascii: ":") else { throw .malformedHost }
        guard start + 1 < end else { return nil }
        var port = 0
        for index in (start + 1)..<end {
            guard bytes[index].isDigit else { throw .malformedPort }
            port = port * 10 + Int(bytes[index] - UInt8(ascii: "0"))
            guard port <= 65535 else { throw .malformedPort }
        }
        guard port > 0 else { throw .malformedPort }
        return port
    }

    private static func userInfo(
        in bytes: borrowing Span<UInt8>,
        from start: Int,
        to end: Int
    ) -> Destination.UserInfo {
        var colon = start
        while colon < end, bytes[colon] != UInt8(ascii: ":") { colon += 1 }
        let password =
            colon < end ? PercentEncoding.decode(bytes.extracting((colon + 1)..<end)) : nil
        return .init(user: PercentEncoding.decode(bytes.extracting(start..<colon)), password: password)
    }

    /// Returns the path and query, which must be visible ASCII: other bytes would break the request line (RFC 9112 §3.2).
    private static func target(in bytes: borrowing Span<UInt8>, from start: Int) throws(RequestFailure) -> String {
        var end = start
        while end < bytes.count, bytes[end] != UInt8(ascii: "#") {
            guard bytes[end] > 0x20, bytes[end] < 0x7F else { throw .malformedTarget }
            end += 1
        }
        guard start < end else { return "/" }
        let target = String(copying: bytes.extracting(start..<end))
        // "If the target URI's path component is empty, the client MUST send "/" as the path" (RFC 9112 §3.2.1).
        return bytes[start] == UInt8(ascii: "/") ? target : "/" + target
    }

    private static func hostField(_ origin: Origin, isIPv6: Bool) -> String {
        if !isIPv6, origin.hasDefaultPort { return origin.host }
        let host = isIPv6 ? "[\(origin.hostWithoutZone)]" : origin.host
        return origin.hasDefaultPort ? host : "\(host):\(origin.port)"
    }
}
