// SPDX-License-Identifier: Apache-2.0

internal import Crypto
public import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The client's side of the opening handshake (RFC 6455 §4.1).
///
/// It says which fields the GET request needs, and judges the answer.
///
/// ```swift
/// var generator = SystemRandomNumberGenerator()
/// let handshake = try ClientHandshake(subprotocols: ["chat"], deflate: .init(), using: &generator)
/// request.headerFields.append(contentsOf: handshake.fields)
/// …
/// let accepted = try handshake.check(status: response.status.code, fields: response.headerFields)
/// ```
public struct ClientHandshake: Sendable {
    /// The subprotocols offered, the preferred one first.
    public let subprotocols: [String]

    /// The compression offered; `nil` if none is.
    public let deflate: PerMessageDeflate.Offer?

    /// 16 random bytes in base64, which prove that the answer is to this request.
    public let key: String

    /// Creates a handshake for one request.
    ///
    /// - Parameters:
    ///   - subprotocols: the subprotocols to offer, the preferred one first; tokens, none twice; none by default.
    ///   - deflate: the compression to offer; `nil`, the default, offers none.
    ///   - generator: where the key comes from; must be unpredictable, such as `SystemRandomNumberGenerator`.
    /// - Throws: what cannot be offered.
    public init(
        subprotocols: [String] = [],
        deflate: PerMessageDeflate.Offer? = nil,
        using generator: inout some RandomNumberGenerator
    ) throws(HandshakeMisuse) {
        var known: Set<String> = []
        for name in subprotocols {
            guard Token.isToken(name) else { throw .invalidSubprotocol(name) }
            guard known.insert(name).inserted else { throw .repeatedSubprotocol(name) }
        }
        guard deflate?.isValid ?? true else { throw .invalidWindowBits }
        self.subprotocols = subprotocols
        self.deflate = deflate
        var bytes: [UInt8] = []
        for _ in 0..<2 {
            let word: UInt64 = generator.next()
            withUnsafeBytes(of: word.bigEndian) { bytes += $0 }
        }
        self.key = Data(bytes).base64EncodedString()
    }

    /// The fields to add to the GET request, in the order of RFC 6455 §1.3.
    public var fields: HTTPFields {
        var fields = HTTPFields()
        fields[.upgrade] = "websocket"
        fields[.connection] = "Upgrade"
        fields[.secWebSocketKey] = self.key
        if !self.subprotocols.isEmpty { fields[.secWebSocketProtocol] = self.subprotocols.joined(separator: ", ") }
        if let deflate = self.deflate { fields[.secWebSocketExtensions] = deflate.fieldValue }
        fields[.secWebSocketVersion] = "13"
        return fields
    }

    /// What the answer to a key must be (RFC 6455 §4.2.2): base64 of the SHA-1 of the key and a fixed text.
    package static func accept(for key: String) -> String {
        let digest = Insecure.SHA1.hash(data: Data((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
        return Data(digest).base64EncodedString()
    }
}
