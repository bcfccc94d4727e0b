// SPDX-License-Identifier: Apache-2.0
import Crypto
import HTTPTypes
import TernAuthentication
import TernCaching
import TernRequests
import TernTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The URL that a response is kept for, as a digest: URLs may hold what should not be in the name of a file.
public struct CacheKey: Hashable, Sendable {
    /// The digest, 64 hexadecimal digits (SHA-256).
    public let name: String

    /// Makes the key of a URL.
    ///
    /// - Parameters:
    ///   - url: the URL, of which neither fragment nor user information count (RFC 9110 §7.1).
    ///   - unixSocketPath: the socket that the request goes to in place of the URL's host; `nil` by default.
    public init(_ url: URL, unixSocketPath: String? = nil) {
        var text = url.absoluteString
        if let place = try? Destination(url) {
            text = "\(place.origin.scheme.rawValue)://\(place.hostField)\(place.target)"
        }
        self.name = Self.digest("\(unixSocketPath ?? "")\n\(text)")
    }

    /// The SHA-256 of a text, as hexadecimal digits.
    static func digest(_ text: String) -> String { SHA256.hash(data: Array(text.utf8)).hexadecimal }
}

extension CacheKey {
    /// The key with a name; `nil` if that is none.
    init?(name: String) {
        guard CacheFiles.isName(name) else { return nil }
        self.name = name
    }

    /// The key of what a call asks for: scheme, host and target as they are sent.
    init(_ call: Call) {
        self.name = Self.digest("\(call.request.options.unixSocketPath ?? "")\n\(call.absoluteTarget)")
    }
}

extension SHA256Digest {
    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: self.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension Variant {
    /// Which requests a response answers; `nil` if no other than its own.
    ///
    /// `Authorization` always counts, whatever `Vary` says: the cache is private, but a client may speak for several users.
    init?(_ response: Response, to request: Request) {
        let vary = response.fields[values: .vary]
        self.init(vary: vary + ["Authorization"], request: Self.fields(of: request), digest: CacheKey.digest)
    }

    /// Whether the response answers a request.
    func answers(_ request: Request) -> Bool { self.matches(Self.fields(of: request), digest: CacheKey.digest) }

    /// The fields, with what the request's own credential will add below.
    private static func fields(of request: Request) -> HTTPFields {
        guard let option = request.options.credential, !request.fields.contains(.authorization) else {
            return request.fields
        }
        var fields = request.fields
        switch option.credential.content {
        case .password(let user, let password): fields[.authorization] = CacheKey.digest("\(user)\n\(password)")
        case .token(let token): fields[.authorization] = CacheKey.digest(token)
        default: break
        }
        return fields
    }
}
