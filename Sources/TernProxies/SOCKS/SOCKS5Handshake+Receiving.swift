// SPDX-License-Identifier: Apache-2.0

import TernErrors

extension SOCKS5Handshake {
    /// Takes the proxy's next answer from the bytes that came, if it is complete, and nothing that comes after it.
    ///
    /// Equal bytes give an equal outcome, however they were split.
    ///
    /// - Parameter bytes: all that came and was not consumed; may be empty.
    /// - Returns: how many bytes are done with, and what to do next. After the connection is made that is nothing.
    /// - Throws: the rule that the proxy broke, or its refusal; every later call throws the same.
    public mutating func receive(_ bytes: RawSpan) throws(SOCKSViolation) -> Step {
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
