// SPDX-License-Identifier: Apache-2.0

import TernErrors
import TernProxies
import TestSupport
import Testing

@Suite("RFC 1928 and RFC 1929: SOCKS 5 with user and password")
struct SOCKSConformance {
    private static let request = SOCKSExpectation.request
    private static let credentials = SOCKSExpectation.credentials
    /// A reply of success with an IPv4 address.
    private static let reply: [UInt8] = [5, 0, 0, 1, 127, 0, 0, 1, 0x1F, 0x90]

    static let connections: [Vector<SOCKSExpectation>] = [
        .init("§3", "no authentication", [5, 0] + reply, .connects()),
        .init("§3", "no authentication although it was offered", [5, 0] + reply, .connects(as: false)),
        .init("RFC 1929 §2", "user and password", [5, 2, 1, 0] + reply, .connects(as: true)),
        .init("§6", "an address of zeros", [5, 0, 5, 0, 0, 1, 0, 0, 0, 0, 0, 0], .connects()),
        .init("§6", "an IPv6 address", [5, 0, 5, 0, 0, 4] + Array(repeating: 7, count: 18), .connects()),
        .init("§6", "a name", [5, 0, 5, 0, 0, 3, 3, 0x61, 0x2E, 0x62, 0, 80], .connects()),
        .init("§6", "a name without a byte", [5, 0, 5, 0, 0, 3, 0, 0, 80], .connects()),
        .init(
            "§6",
            "the longest name, which makes 262 bytes",
            [5, 0, 5, 0, 0, 3, 255] + Array(repeating: 0x61, count: 257),
            .connects()
        ),
        .init("§6", "what follows is left alone", [5, 0] + reply + [0x16, 3, 1, 5, 0, 0], .connects(leaving: 6)),
        .init(
            "§6",
            "what follows a name is left alone",
            [5, 0, 5, 0, 0, 3, 1, 0x61, 0, 80] + Array("HTTP/1.1 200".utf8),
            .connects(leaving: 12)
        ),
    ]

    static let violations: [Vector<SOCKSExpectation>] = [
        .init("§3", "version 4", [4, 0], .breaks(.version(4))),
        .init("§3", "the reply of SOCKS 4", [0, 90, 0, 0, 0, 0, 0, 0], .breaks(.version(0))),
        .init("§3", "a server for HTTP", "HTTP/1.1 400 Bad Request\r\n\r\n", .breaks(.version(0x48))),
        .init("§3", "a server for TLS", [0x15, 3, 1, 0, 2, 2, 22], .breaks(.version(0x15))),
        .init("§3", "GSSAPI, which was not offered", [5, 1], .breaks(.methodNotOffered(1))),
        .init("§3", "user and password, which were not offered", [5, 2], .breaks(.methodNotOffered(2))),
        .init("§3", "a reserved method", [5, 3], .breaks(.methodNotOffered(3), hasCredentials: true)),
        .init("§3", "a private method", [5, 0xFE], .breaks(.methodNotOffered(0xFE), hasCredentials: true)),
        .init(
            "RFC 1929 §2",
            "the version of SOCKS in place of 1",
            [5, 2, 5, 0],
            .breaks(.authenticationVersion(5), after: credentials, hasCredentials: true)
        ),
        .init("§6", "another version in the reply", [5, 0, 4, 0, 0, 1], .breaks(.version(4), after: request)),
        .init("§6", "a reserved byte", [5, 0, 5, 0, 1, 1], .breaks(.reserved(1), after: request)),
        .init("§6", "the address type 0", [5, 0, 5, 0, 0, 0], .breaks(.addressType(0), after: request)),
        .init("§6", "the address type 2", [5, 0, 5, 0, 0, 2, 1, 2], .breaks(.addressType(2), after: request)),
        .init("§6", "the address type 255", [5, 0, 5, 0, 0, 255], .breaks(.addressType(255), after: request)),
    ]

    static let refusals: [Vector<SOCKSExpectation>] =
        [
            .init("§3", "no method without credentials", [5, 0xFF], .breaks(.credentialsMissing)),
            .init("§3", "no method at all", [5, 0xFF], .breaks(.noAcceptableMethod, hasCredentials: true)),
            .init(
                "RFC 1929 §2",
                "a wrong password",
                [5, 2, 1, 1],
                .breaks(.credentialsRejected(status: 1), after: credentials, hasCredentials: true)
            ),
            .init(
                "RFC 1929 §2",
                "any status but 0",
                [5, 2, 1, 0xFF],
                .breaks(.credentialsRejected(status: 0xFF), after: credentials, hasCredentials: true)
            ),
            .init(
                "§6",
                "a refusal that is cut short",
                [5, 0, 5, 5],
                .breaks(.refused(.connectionRefused), after: request)
            ),
        ]
        + (1...10).compactMap { code in
            SOCKSReply(code: code).map { reply in
                let bytes: [UInt8] = [5, 0, 5, code, 0, 1, 0, 0, 0, 0, 0, 0]
                return .init("§6", "the reply \(code)", bytes, .breaks(.refused(reply), after: request))
            }
        }

    @Test(arguments: connections + violations + refusals)
    func `answers`(_ vector: Vector<SOCKSExpectation>) throws { try vector.check() }

    /// If the proxy's answers are cut off at any byte, the client waits for more, and does not count as connected.
    @Test(arguments: connections)
    func `answers that are cut short`(_ vector: Vector<SOCKSExpectation>) throws {
        let end = vector.bytes.count - (vector.expected.remainingByteCount ?? 0)
        for count in 0..<end {
            let hasCredentials = vector.expected.hasCredentials
            let transcript = try SOCKSTranscript(of: [vector.bytes[..<count]], hasCredentials: hasCredentials)
            #expect(transcript.remainingByteCount == nil && transcript.violation == nil, "\(count) bytes")
            #expect(transcript.sent == Array(vector.expected.sent.prefix(transcript.sent.count)), "\(count) bytes")
        }
    }

    /// Replaces each byte of a good handshake by each other value.
    ///
    /// The client must connect, wait for more bytes, or report what is wrong.
    @Test
    func `answers with one wrong byte`() throws {
        let bytes: [UInt8] = [5, 2, 1, 0] + Self.reply
        for index in bytes.indices {
            for byte in UInt8.min ... .max where byte != bytes[index] {
                var wrong = bytes
                wrong[index] = byte
                let transcript = try SOCKSTranscript(of: [wrong[...]], hasCredentials: true)
                // The client ignores the address, and its type gives its length. After method 0, the next bytes are a
                // reply.
                let isAddress = index >= 8
                #expect((transcript.remainingByteCount == 0) == isAddress, "byte \(index) is \(byte)")
                #expect(
                    isAddress || transcript.violation != nil || (index == 7 && [3, 4].contains(byte)),
                    "byte \(index) is \(byte)"
                )
            }
        }
    }
}
