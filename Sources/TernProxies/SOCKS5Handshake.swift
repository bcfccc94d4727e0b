// SPDX-License-Identifier: Apache-2.0

import TernErrors

/// The client's side of SOCKS version 5 (RFC 1928), with user and password if the proxy asks for them (RFC 1929).
///
/// The driver sends the bytes of ``start()``, presents all unconsumed bytes to ``receive(_:)``, and does what it returns until
/// ``Action/connected``. The client ignores the address in the reply, because it is the proxy's own (RFC 1928 §6).
package struct SOCKS5Handshake: Sendable {
    package enum Action: Hashable, Sendable {
        /// Wait until there are this many unconsumed bytes, which are more than the driver presented, and at most 262.
        case receive(atLeast: Int)
        /// Send these bytes, then present the received bytes that remain.
        case send([UInt8])
        case connected
    }

    package struct Step: Hashable, Sendable {
        package var consumedByteCount: Int
        package var action: Action
    }

    enum State: Sendable {
        /// The driver has sent the greeting, or is about to send it.
        case greeted
        /// The proxy asked for user and password, and the driver sends them.
        case credentialsSent
        /// The driver sends the request to connect to the host, and waits for the reply.
        case requestSent
        /// All further bytes belong to the tunnelled connection.
        case connected
        /// The proxy broke a rule, or refused; later calls of ``receive(_:)`` throw the same error.
        case failed(SOCKSViolation)
    }

    var state = State.greeted
    /// The message with user and password, as sent (RFC 1929 §2).
    let credentials: [UInt8]?
    /// The request to connect to the host, as sent (RFC 1928 §4).
    let request: [UInt8]

    /// Creates a handshake; throws ``SOCKSError`` if SOCKS cannot express a value, such as a password of more than 255 bytes.
    package init(host: String, port: Int, user: String?, password: String?) throws(SOCKSError) {
        guard 1...65535 ~= port else { throw .port(port) }
        // RFC 1928 §4: VER, CMD (1 is CONNECT), RSV, then ATYP with the address, and the port in network octet order.
        self.request =
            try [5, 1, 0] + Self.address(host) + [
                UInt8(truncatingIfNeeded: port >> 8), UInt8(truncatingIfNeeded: port),
            ]
        self.credentials = try user.map { user throws(SOCKSError) in try Self.credentials(user, password ?? "") }
    }

    /// Returns the greeting with the offered methods (RFC 1928 §3): with a user, the client also offers "no authentication", so
    /// that a proxy that needs no password gets none.
    package func start() -> [UInt8] { self.credentials == nil ? [5, 1, 0] : [5, 2, 0, 2] }

    /// Returns ATYP and the address; the length precedes a name (RFC 1928 §5).
    private static func address(_ host: String) throws(SOCKSError) -> [UInt8] {
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        let bare = isBracketed ? host.dropFirst().dropLast() : host[...]
        if let address = IPAddress(bare) { return [address.isIPv6 ? 4 : 1] + address.bytes }
        let name = Array(host.utf8)
        guard 1...255 ~= name.count else { throw .hostLength(name.count) }
        // Some parsers end a name at a NUL, a space or a colon, so such a name must not reach the proxy.
        guard !isBracketed, name.allSatisfy({ $0.isNameByte || $0 == UInt8(ascii: ".") }) else { throw .malformedHost }
        return [3, UInt8(name.count)] + name
    }

    private static func credentials(_ user: String, _ password: String) throws(SOCKSError) -> [UInt8] {
        let (user, password) = (Array(user.utf8), Array(password.utf8))
        guard 1...255 ~= user.count else { throw .userLength(user.count) }
        guard 1...255 ~= password.count else { throw .passwordLength(password.count) }
        return [1, UInt8(user.count)] + user + [UInt8(password.count)] + password
    }
}

extension SOCKS5Handshake: CustomStringConvertible {
    package var description: String {
        switch self.state {
        case .greeted: "SOCKS 5: greeted"
        case .credentialsSent: "SOCKS 5: user and password sent"
        case .requestSent: "SOCKS 5: asked to connect"
        case .connected: "SOCKS 5: connected"
        case .failed(let violation): "SOCKS 5: \(violation)"
        }
    }
}

extension SOCKS5Handshake {
    /// Processes the proxy's next answer if it is complete, and none of the bytes after it.
    package mutating func receive(_ bytes: RawSpan) throws(SOCKSViolation) -> Step {
        do throws(SOCKSViolation) {
            switch self.state {
            case .greeted: return try self.receiveMethod(bytes)
            case .credentialsSent: return try self.receiveStatus(bytes)
            case .requestSent: return try self.receiveReply(bytes)
            case .connected: return Step(consumedByteCount: 0, action: .connected)
            case .failed(let violation): throw violation
            }
        } catch {
            self.state = .failed(error)
            throw error
        }
    }

    /// Parses VER and METHOD (RFC 1928 §3).
    private mutating func receiveMethod(_ bytes: RawSpan) throws(SOCKSViolation) -> Step {
        try Self.checkVersion(bytes)
        guard bytes.byteCount >= 2 else { return Step(consumedByteCount: 0, action: .receive(atLeast: 2)) }
        switch bytes.byte(1) {
        case 0:
            self.state = .requestSent
            return Step(consumedByteCount: 2, action: .send(self.request))
        case 2:
            guard let credentials = self.credentials else { throw .methodNotOffered(2) }
            self.state = .credentialsSent
            return Step(consumedByteCount: 2, action: .send(credentials))
        // "If the selected METHOD is X'FF', none of the methods listed by the client are acceptable"
        case 0xFF: throw self.credentials == nil ? .credentialsMissing : .noAcceptableMethod
        case let method: throw .methodNotOffered(method)
        }
    }

    /// Parses VER and STATUS (RFC 1929 §2).
    private mutating func receiveStatus(_ bytes: RawSpan) throws(SOCKSViolation) -> Step {
        if bytes.byteCount >= 1, bytes.byte(0) != 1 { throw .authenticationVersion(bytes.byte(0)) }
        guard bytes.byteCount >= 2 else { return Step(consumedByteCount: 0, action: .receive(atLeast: 2)) }
        // "A STATUS field of X'00' indicates success."
        guard bytes.byte(1) == 0 else { throw .credentialsRejected(status: bytes.byte(1)) }
        self.state = .requestSent
        return Step(consumedByteCount: 2, action: .send(self.request))
    }

    /// Parses VER, REP, RSV, ATYP, BND.ADDR and BND.PORT (RFC 1928 §6).
    private mutating func receiveReply(_ bytes: RawSpan) throws(SOCKSViolation) -> Step {
        try Self.checkVersion(bytes)
        guard bytes.byteCount >= 2 else { return Step(consumedByteCount: 0, action: .receive(atLeast: 2)) }
        // Some proxies close the connection after the code, so do not wait for an address after a refusal.
        if let reply = SOCKSReply(code: bytes.byte(1)) { throw .refused(reply) }
        // "Fields marked RESERVED (RSV) must be set to X'00'."
        if bytes.byteCount >= 3, bytes.byte(2) != 0 { throw .reserved(bytes.byte(2)) }
        // The shortest reply has 7 bytes; if the address is a name, the fifth byte is its length.
        guard bytes.byteCount >= 4 else { return Step(consumedByteCount: 0, action: .receive(atLeast: 5)) }
        let byteCount: Int
        switch bytes.byte(3) {
        case 1: byteCount = 4 + 4 + 2
        case 4: byteCount = 4 + 16 + 2
        case 3:
            guard bytes.byteCount >= 5 else { return Step(consumedByteCount: 0, action: .receive(atLeast: 5)) }
            byteCount = 4 + 1 + Int(bytes.byte(4)) + 2
        case let type: throw .addressType(type)
        }
        guard bytes.byteCount >= byteCount else {
            return Step(consumedByteCount: 0, action: .receive(atLeast: byteCount))
        }
        self.state = .connected
        return Step(consumedByteCount: byteCount, action: .connected)
    }

    private static func checkVersion(_ bytes: RawSpan) throws(SOCKSViolation) {
        if bytes.byteCount >= 1, bytes.byte(0) != 5 { throw .version(bytes.byte(0)) }
    }
}

extension RawSpan {
    fileprivate func byte(_ offset: Int) -> UInt8 { self.unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
}
