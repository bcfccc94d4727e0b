// SPDX-License-Identifier: Apache-2.0

internal import Crypto
public import HTTPTypes
public import TernFoundation

/// The client's side of the opening handshake (RFC 6455 §4.1): creates the fields of the GET request, and checks the response.
///
/// ```swift
/// var generator = SystemRandomNumberGenerator()
/// let handshake = try ClientHandshake(
///     subprotocols: ["chat"],
///     deflate: .init(),
///     using: &generator
/// )
/// request.headerFields.append(contentsOf: handshake.fields)
/// // …
/// let accepted = try handshake.check(
///     status: response.status.code,
///     fields: response.headerFields
/// )
/// ```
public struct ClientHandshake: Sendable {
    /// The subprotocols offered, the preferred one first.
    public let subprotocols: [String]

    /// The compression to offer, or `nil` to offer no compression.
    public let deflate: PerMessageDeflate.Offer?

    /// 16 random bytes in Base64, from which the server derives `Sec-WebSocket-Accept`, to prove that it answers this request.
    public let key: String

    /// Creates a handshake for one request.
    ///
    /// - Parameters:
    ///   - subprotocols: The subprotocols to offer, the preferred one first. Each must be a token and occur once.
    ///   - deflate: The compression to offer.
    ///   - generator: The source of the key. Must be unpredictable, such as `SystemRandomNumberGenerator`.
    /// - Throws: `HandshakeError` when the subprotocols or the compression cannot be offered.
    public init(
        subprotocols: [String] = [],
        deflate: PerMessageDeflate.Offer? = nil,
        using generator: inout some RandomNumberGenerator
    ) throws(HandshakeError) {
        var known: Set<String> = []
        for name in subprotocols {
            guard Token.isToken(name) else { throw .invalidSubprotocol(name) }
            guard known.insert(name).inserted else { throw .repeatedSubprotocol(name) }
        }
        guard deflate?.isValid ?? true else { throw .invalidWindowBits }
        self.subprotocols = subprotocols
        self.deflate = deflate
        self.key = Self.key(using: &generator)
    }

    private init(_ other: ClientHandshake, key: String) {
        (self.subprotocols, self.deflate, self.key) = (other.subprotocols, other.deflate, key)
    }

    /// Returns the handshake with a new key: "The nonce MUST be selected randomly for each connection" (RFC 6455 §4.1, item 7).
    package func renewed(using generator: inout some RandomNumberGenerator) -> ClientHandshake {
        ClientHandshake(self, key: Self.key(using: &generator))
    }

    private static func key(using generator: inout some RandomNumberGenerator) -> String {
        var bytes: [UInt8] = []
        for _ in 0..<2 {
            let word: UInt64 = generator.next()
            withUnsafeBytes(of: word.bigEndian) { bytes += $0 }
        }
        return Data(bytes).base64EncodedString()
    }

    /// The fields to add to the GET request.
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

    /// Returns the SHA-1 hash of a key and a fixed text, in Base64 (RFC 6455 §4.2.2).
    package static func accept(for key: String) -> String {
        let digest = Insecure.SHA1.hash(data: Data((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))
        return Data(digest).base64EncodedString()
    }
}

extension ClientHandshake {
    /// Checks the server's response (RFC 6455 §4.1), and throws if it does not open the WebSocket.
    public func check(status: Int, fields: HTTPFields) throws(HandshakeViolation) -> AcceptedHandshake {
        guard status == 101 else { throw .notSwitched(status: status) }
        try Self.checkSwitch(fields)
        try self.checkAccept(fields)
        return AcceptedHandshake(subprotocol: try self.subprotocol(fields), deflate: try self.agreement(fields))
    }

    /// Checks the response to an extended CONNECT (RFC 8441 §5), which has a 2xx status, and no fields for the switch and the key.
    package func checkExtendedConnect(
        status: Int,
        fields: HTTPFields
    ) throws(HandshakeViolation) -> AcceptedHandshake {
        guard 200..<300 ~= status else { throw .notSwitched(status: status) }
        return AcceptedHandshake(subprotocol: try self.subprotocol(fields), deflate: try self.agreement(fields))
    }

    private static func checkSwitch(_ fields: HTTPFields) throws(HandshakeViolation) {
        let upgrades = fields[values: .upgrade]
        guard !upgrades.isEmpty else { throw .missingUpgrade }
        // RFC 6455 §4.1: the client fails the connection if the field "contains a value that is not an ASCII
        // case-insensitive match for the value" `websocket`.
        guard upgrades.count == 1, Token.matches(Token.trimmed(upgrades[0]), "websocket") else { throw .wrongUpgrade }
        let connections = fields[values: .connection]
        guard !connections.isEmpty else { throw .missingConnection }
        let isUpgraded = connections.contains { value in
            value.split(separator: ",").contains { Token.matches(Token.trimmed($0), "upgrade") }
        }
        guard isUpgraded else { throw .wrongConnection }
    }

    private func checkAccept(_ fields: HTTPFields) throws(HandshakeViolation) {
        let accepts = fields[values: .secWebSocketAccept]
        guard let accept = accepts.first else { throw .missingAccept }
        guard accepts.count == 1 else { throw .repeatedAccept }
        // RFC 6455 §4.1: the client compares the value "ignoring any leading and trailing whitespace".
        guard Token.trimmed(accept) == Self.accept(for: self.key) else { throw .wrongAccept }
    }

    private func subprotocol(_ fields: HTTPFields) throws(HandshakeViolation) -> String? {
        let values = fields[values: .secWebSocketProtocol]
        guard let value = values.first else { return nil }
        // RFC 6455 §11.3.4: the field must not appear more than once in a response.
        guard values.count == 1 else { throw .repeatedSubprotocol }
        // Names that differ in case are different (RFC 6455 §4.1 compares them exactly).
        let name = Token.trimmed(value)
        guard self.subprotocols.contains(name) else { throw .unknownSubprotocol }
        return name
    }

    private func agreement(_ fields: HTTPFields) throws(HandshakeViolation) -> PerMessageDeflate.Agreement? {
        var agreement: PerMessageDeflate.Agreement?
        // RFC 6455 §11.3.2: the field may occur several times. The values then form one list.
        for value in fields[values: .secWebSocketExtensions] {
            guard let list = ExtensionList(value) else { throw .malformedExtensions }
            for element in list.elements {
                guard let offer = self.deflate, element.name == PerMessageDeflate.token else { throw .unknownExtension }
                guard agreement == nil else { throw .repeatedExtension }
                agreement = try offer.agreement(element.parameters)
            }
        }
        return agreement
    }
}

/// The result of an opening handshake: the subprotocol and the compression on which client and server agreed.
public struct AcceptedHandshake: Hashable, Sendable {
    /// The chosen subprotocol, or `nil` if the server chose none.
    public var subprotocol: String?

    /// The negotiated compression, or `nil` if messages must not be compressed.
    public var deflate: PerMessageDeflate.Agreement?

    package init(subprotocol: String? = nil, deflate: PerMessageDeflate.Agreement? = nil) {
        (self.subprotocol, self.deflate) = (subprotocol, deflate)
    }
}

/// The reason why an opening handshake cannot be created from the caller's arguments.
@nonexhaustive
public enum HandshakeError: Error, Hashable, Sendable {
    /// A subprotocol is not a token (RFC 6455 §4.1).
    case invalidSubprotocol(String)
    /// A subprotocol is offered more than once (RFC 6455 §4.1).
    case repeatedSubprotocol(String)
    /// The server's window is outside 8...15 bits (RFC 7692 §7.1.2), or the client's is outside 9...15 bits, the limits of zlib.
    case invalidWindowBits
}

extension HandshakeError: CustomStringConvertible {
    /// One sentence that describes the error; its wording may change.
    public var description: String {
        switch self {
        case .invalidSubprotocol(let name):
            "The subprotocol \"\(Self.shown(name))\" contains a character that is not allowed, or is empty."
        case .repeatedSubprotocol(let name): "The subprotocol \"\(Self.shown(name))\" is offered more than once."
        case .invalidWindowBits:
            "A compression window is out of range; use 9 to 15 bits for the client and 8 to 15 for the server."
        }
    }
}

extension HandshakeError: LocalizedError {
    /// One English sentence that an app may show; its wording may change.
    public var errorDescription: String? { self.description }

    fileprivate static func shown(_ name: String) -> String {
        let scalars = name.unicodeScalars.prefix(32).map { scalar -> Unicode.Scalar in
            scalar.isASCII && scalar.value > 0x1F && scalar.value != 0x7F && !"()\"".unicodeScalars.contains(scalar)
                ? scalar : "?"
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
