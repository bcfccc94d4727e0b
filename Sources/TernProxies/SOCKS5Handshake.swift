// SPDX-License-Identifier: Apache-2.0

import TernErrors

/// The client's side of SOCKS version 5 (RFC 1928), with user and password if the proxy asks for them (RFC 1929).
///
/// Holds no socket and no buffer: the driver keeps the bytes, presents those not consumed, and does what it is told.
///
/// The driver writes what ``start()`` gives. From then on it presents what has come to ``receive(_:)``, drops what that
/// consumed, and waits or writes as it says, until it says that all is connected: what is left belongs to TLS or HTTP.
///
/// The proxy looks up names; the client never does. No answer is longer than 262 bytes, which is that of the longest
/// name. The address that the proxy replies with is not read: RFC 1928 §6 has it be the proxy's own.
package struct SOCKS5Handshake: Sendable {
    /// What the driver does next.
    package enum Action: Hashable, Sendable {
        /// Wait until there are at least so many bytes that are not consumed; more than there were, 262 at most.
        case receive(atLeast: Int)
        /// Send these bytes, then present what is left, or what comes.
        case send([UInt8])
        /// Nothing: the connection leads to the host.
        case connected
    }

    /// What came of the bytes that were presented.
    package struct Step: Hashable, Sendable {
        /// How many of the bytes are done with.
        package var consumedByteCount: Int
        /// What to do next.
        package var action: Action
    }

    enum State: Sendable {
        /// The greeting is sent, or about to be. Exits: `credentialsSent`, `requestSent`, `failed`.
        case greeted
        /// The proxy chose to be told user and password. Exits: `requestSent`, `failed`.
        case credentialsSent
        /// The proxy was asked to connect. Exits: `connected`, `failed`.
        case requestSent
        /// All that comes belongs to the tunnelled connection.
        case connected
        /// A rule was broken, or the proxy refused; every call throws.
        case failed(SOCKSViolation)
    }

    var state = State.greeted
    /// User and password as they are sent (RFC 1929 §2); `nil` if there are none.
    let credentials: [UInt8]?
    /// The request to connect as it is sent (RFC 1928 §4).
    let request: [UInt8]

    /// Creates a handshake for one connection.
    ///
    /// - Parameters:
    ///   - host: The host that the proxy connects to: a name of 1 to 255 bytes in its ASCII form, an IPv4 address, or an
    ///     IPv6 address, with or without brackets.
    ///   - port: the port there, from 1 to 65535.
    ///   - user: who to be towards the proxy, 1 to 255 bytes; `nil` to be nobody, and then the password is not used.
    ///   - password: the password of the user, 1 to 255 bytes.
    /// - Throws: what cannot be written in SOCKS.
    package init(host: String, port: Int, user: String?, password: String?) throws(SOCKSError) {
        guard 1...65535 ~= port else { throw .port(port) }
        // §4: VER, CMD (1 is CONNECT), RSV, then ATYP with the address, and the port in network octet order.
        self.request =
            try [5, 1, 0] + Self.address(host) + [
                UInt8(truncatingIfNeeded: port >> 8), UInt8(truncatingIfNeeded: port),
            ]
        self.credentials = try user.map { user throws(SOCKSError) in try Self.credentials(user, password ?? "") }
    }

    /// The bytes to send first: the methods that are offered (RFC 1928 §3).
    ///
    /// Without a user that is only method 0, no authentication. With one it is also method 2, user and password; method
    /// 0 stays, so that a proxy that wants neither is not told them, for both go unencrypted.
    package func start() -> [UInt8] { self.credentials == nil ? [5, 1, 0] : [5, 2, 0, 2] }

    /// §5: the type of the address, then the address; that of a name begins with its length.
    private static func address(_ host: String) throws(SOCKSError) -> [UInt8] {
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        let bare = isBracketed ? host.dropFirst().dropLast() : host[...]
        if let address = IPAddress(bare) { return [address.isIPv6 ? 4 : 1] + address.bytes }
        let name = Array(host.utf8)
        guard 1...255 ~= name.count else { throw .hostLength(name.count) }
        // What another parser might end the name at, a NUL, a space or a colon, must not get to the proxy.
        guard !isBracketed, name.allSatisfy({ $0.isNameByte || $0 == UInt8(ascii: ".") }) else { throw .malformedHost }
        return [3, UInt8(name.count)] + name
    }

    /// RFC 1929 §2: "VER field contains the current version of the subnegotiation, which is X'01'", then both lengths.
    private static func credentials(_ user: String, _ password: String) throws(SOCKSError) -> [UInt8] {
        let (user, password) = (Array(user.utf8), Array(password.utf8))
        guard 1...255 ~= user.count else { throw .userLength(user.count) }
        guard 1...255 ~= password.count else { throw .passwordLength(password.count) }
        return [1, UInt8(user.count)] + user + [UInt8(password.count)] + password
    }
}

extension SOCKS5Handshake: CustomStringConvertible {
    /// How far it is; neither user and password nor the host.
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
    /// Takes the proxy's next answer from the bytes that came, if it is complete, and nothing that comes after it.
    ///
    /// Equal bytes give an equal outcome, however they were split.
    ///
    /// - Parameter bytes: all that came and was not consumed; may be empty.
    /// - Returns: how many bytes are done with, and what to do next. After the connection is made that is nothing.
    /// - Throws: the rule that the proxy broke, or its refusal; every later call throws the same.
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

    /// RFC 1928 §3: VER, METHOD.
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

    /// RFC 1929 §2: VER, STATUS.
    private mutating func receiveStatus(_ bytes: RawSpan) throws(SOCKSViolation) -> Step {
        if bytes.byteCount >= 1, bytes.byte(0) != 1 { throw .authenticationVersion(bytes.byte(0)) }
        guard bytes.byteCount >= 2 else { return Step(consumedByteCount: 0, action: .receive(atLeast: 2)) }
        // "A STATUS field of X'00' indicates success."
        guard bytes.byte(1) == 0 else { throw .credentialsRejected(status: bytes.byte(1)) }
        self.state = .requestSent
        return Step(consumedByteCount: 2, action: .send(self.request))
    }

    /// RFC 1928 §6: VER, REP, RSV, ATYP, BND.ADDR, BND.PORT.
    private mutating func receiveReply(_ bytes: RawSpan) throws(SOCKSViolation) -> Step {
        try Self.checkVersion(bytes)
        guard bytes.byteCount >= 2 else { return Step(consumedByteCount: 0, action: .receive(atLeast: 2)) }
        // Some proxies close after the code, so that a refusal does not wait for an address.
        if let reply = SOCKSReply(code: bytes.byte(1)) { throw .refused(reply) }
        // "Fields marked RESERVED (RSV) must be set to X'00'."
        if bytes.byteCount >= 3, bytes.byte(2) != 0 { throw .reserved(bytes.byte(2)) }
        // The shortest reply has 7 bytes; the length of a name is the fifth.
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

    /// Each answer of RFC 1928 begins with the version, 5.
    private static func checkVersion(_ bytes: RawSpan) throws(SOCKSViolation) {
        if bytes.byteCount >= 1, bytes.byte(0) != 5 { throw .version(bytes.byte(0)) }
    }
}

extension RawSpan {
    /// The byte at an offset that is known to be within.
    fileprivate func byte(_ offset: Int) -> UInt8 { self.unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
}
