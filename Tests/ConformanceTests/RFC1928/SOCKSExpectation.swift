// SPDX-License-Identifier: Apache-2.0

import TernProxies
import TestSupport
import Testing

/// The expected result for the bytes that a SOCKS proxy sends, and the client's credentials.
struct SOCKSExpectation: Sendable {
    var hasCredentials: Bool
    /// The bytes that the client sends after its greeting.
    var sent: [[UInt8]]
    /// The number of unread bytes after the client has connected; `nil` if it does not connect.
    var remainingByteCount: Int?
    var violation: SOCKSViolation?

    /// The bytes of a request to connect to `a:443`.
    static let request: [UInt8] = [5, 1, 0, 3, 1, 0x61, 1, 0xBB]
    /// The bytes of the user name `u` and the password `p`.
    static let credentials: [UInt8] = [1, 1, 0x75, 1, 0x70]

    static func connects(leaving remainingByteCount: Int = 0, as credentials: Bool? = nil) -> SOCKSExpectation {
        let sent = credentials == true ? [Self.credentials, Self.request] : [Self.request]
        return .init(hasCredentials: credentials != nil, sent: sent, remainingByteCount: remainingByteCount)
    }

    static func breaks(
        _ violation: SOCKSViolation,
        after sent: [UInt8]...,
        hasCredentials: Bool = false
    ) -> SOCKSExpectation {
        .init(hasCredentials: hasCredentials, sent: sent, violation: violation)
    }
}

/// The result of a handshake.
struct SOCKSTranscript: Equatable {
    var sent: [[UInt8]] = []
    var remainingByteCount: Int?
    var violation: SOCKSViolation?

    /// Passes `pieces` to a handshake one after the other, like a driver, with an empty piece between two.
    init(of pieces: [ArraySlice<UInt8>], hasCredentials: Bool) throws {
        let (user, password) = hasCredentials ? ("u", "p") : (nil, nil)
        var handshake = try SOCKS5Handshake(host: "a", port: 443, user: user, password: password)
        #expect(handshake.start() == (hasCredentials ? [5, 2, 0, 2] : [5, 1, 0]))
        var buffer: [UInt8] = []
        for piece in pieces {
            buffer += piece
            while self.violation == nil, try self.step(&handshake, &buffer) {}
        }
        if self.remainingByteCount != nil { self.remainingByteCount = buffer.count }
    }

    /// Performs one step, and returns whether the handshake can continue with the available bytes.
    private mutating func step(_ handshake: inout SOCKS5Handshake, _ buffer: inout [UInt8]) throws -> Bool {
        do throws(SOCKSViolation) {
            let step = try handshake.receive(ContiguousArray(buffer).span.bytes)
            buffer.removeFirst(step.consumedByteCount)
            switch step.action {
            case .receive(let byteCount):
                #expect(step.consumedByteCount == 0 && byteCount > buffer.count && byteCount <= 262)
                return false
            case .send(let bytes):
                self.sent.append(bytes)
                return true
            case .connected:
                self.remainingByteCount = buffer.count
                return false
            }
        } catch {
            self.violation = error
            #expect(throws: error) { try handshake.receive(ContiguousArray(buffer).span.bytes) }
            return false
        }
    }
}

extension Vector<SOCKSExpectation> {
    /// Checks the expectation for every way of splitting the bytes.
    func check() throws {
        for split in everySplit(of: self.bytes) {
            let transcript = try SOCKSTranscript(of: split, hasCredentials: self.expected.hasCredentials)
            #expect(transcript.sent == self.expected.sent, "split as \(split.map(\.count))")
            #expect(transcript.violation == self.expected.violation, "split as \(split.map(\.count))")
            #expect(
                transcript.remainingByteCount == self.expected.remainingByteCount,
                "split as \(split.map(\.count))"
            )
        }
    }
}
