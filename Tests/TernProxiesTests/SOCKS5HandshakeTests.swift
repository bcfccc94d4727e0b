// SPDX-License-Identifier: Apache-2.0

import TernErrors
import TestSupport
import Testing

@testable import TernProxies

@Suite("SOCKS5Handshake")
struct SOCKS5HandshakeTests {
    private static func handshake(
        _ host: String = "example.com",
        _ port: Int = 443,
        _ user: String? = nil,
        _ password: String? = nil
    ) throws(SOCKSError) -> SOCKS5Handshake {
        try SOCKS5Handshake(host: host, port: port, user: user, password: password)
    }

    // MARK: What is sent

    static let addresses: [(String, [UInt8])] = [
        ("example.com", [3, 11] + Array("example.com".utf8)), ("a", [3, 1, 0x61]),
        ("Example.com.", [3, 12] + Array("Example.com.".utf8)), ("127.0.0.1", [1, 127, 0, 0, 1]),
        ("255.255.255.255", [1, 255, 255, 255, 255]),
        ("::1", [4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
        ("[2001:db8::A]", [4, 0x20, 1, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0A]),
        ("::ffff:1.2.3.4", [4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 1, 2, 3, 4]),
        ("1.2.3", [3, 5] + Array("1.2.3".utf8)), ("1.2.3.4.5", [3, 9] + Array("1.2.3.4.5".utf8)),
        (String(repeating: "a", count: 255), [3, 255] + Array(repeating: 0x61, count: 255)),
    ]

    @Test(arguments: addresses)
    func `a host is written as what it is`(_ host: String, _ expected: [UInt8]) throws {
        #expect(try Self.handshake(host, 0x1234).request == [5, 1, 0] + expected + [0x12, 0x34])
    }

    @Test
    func `user and password are written with their lengths`() throws {
        #expect(try Self.handshake("a", 1, "ü", "pass").credentials == [1, 2, 0xC3, 0xBC, 4] + Array("pass".utf8))
        let long = String(repeating: "x", count: 255)
        #expect(try Self.handshake("a", 1, long, long).credentials?.count == 513)
        #expect(try Self.handshake("a", 1, nil, "unused").credentials == nil)
    }

    static let misuses: [(String, Int, String?, String?, SOCKSError)] = [
        ("", 443, nil, nil, .hostLength(0)), (String(repeating: "a", count: 256), 443, nil, nil, .hostLength(256)),
        ("a b", 443, nil, nil, .malformedHost), ("a\0b", 443, nil, nil, .malformedHost),
        ("a\r\nb", 443, nil, nil, .malformedHost), ("ä.example", 443, nil, nil, .malformedHost),
        ("[example.com]", 443, nil, nil, .malformedHost), ("[::1", 443, nil, nil, .malformedHost),
        ("::1%eth0", 443, nil, nil, .malformedHost), ("a:443", 443, nil, nil, .malformedHost),
        ("a", 0, nil, nil, .port(0)), ("a", -1, nil, nil, .port(-1)), ("a", 65536, nil, nil, .port(65536)),
        ("a", 1, "", "x", .userLength(0)), ("a", 1, String(repeating: "u", count: 256), "x", .userLength(256)),
        ("a", 1, "u", "", .passwordLength(0)), ("a", 1, "u", nil, .passwordLength(0)),
        ("a", 1, "u", String(repeating: "ü", count: 128), .passwordLength(256)),
    ]

    @Test(arguments: misuses.indices)
    func `what does not fit is refused`(_ index: Int) {
        let (host, port, user, password, expected) = Self.misuses[index]
        #expect(throws: expected) { try Self.handshake(host, port, user, password) }
        #expect(expected.failure == .unsupported(expected.description))
    }

    // MARK: Driving

    @Test
    func `the steps are those of the documentation`() throws {
        var handshake = try Self.handshake("a", 80, "u", "p")
        #expect(handshake.start() == [5, 2, 0, 2])
        #expect(try handshake.step([]) == .init(consumedByteCount: 0, action: .receive(atLeast: 2)))
        #expect(try handshake.step([5, 2]) == .init(consumedByteCount: 2, action: .send([1, 1, 0x75, 1, 0x70])))
        #expect(try handshake.step([]) == .init(consumedByteCount: 0, action: .receive(atLeast: 2)))
        let request: [UInt8] = [5, 1, 0, 3, 1, 0x61, 0, 80]
        #expect(try handshake.step([1, 0]) == .init(consumedByteCount: 2, action: .send(request)))
        #expect(try handshake.step([5]) == .init(consumedByteCount: 0, action: .receive(atLeast: 2)))
        #expect(try handshake.step([5, 0]) == .init(consumedByteCount: 0, action: .receive(atLeast: 5)))
        #expect(try handshake.step([5, 0, 0, 3]) == .init(consumedByteCount: 0, action: .receive(atLeast: 5)))
        #expect(try handshake.step([5, 0, 0, 3, 255]) == .init(consumedByteCount: 0, action: .receive(atLeast: 262)))
        let reply: [UInt8] = [5, 0, 0, 3, 255] + Array(repeating: 0x61, count: 257)
        #expect(try handshake.step(reply + [0x16]) == .init(consumedByteCount: 262, action: .connected))
    }

    @Test
    func `after the connection is made nothing is consumed`() throws {
        var handshake = try Self.handshake()
        _ = try handshake.step([5, 0])
        _ = try handshake.step([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
        #expect(try handshake.step([5, 0]) == .init(consumedByteCount: 0, action: .connected))
        #expect(try handshake.step([]) == .init(consumedByteCount: 0, action: .connected))
    }

    @Test
    func `a failure stays`() throws {
        var handshake = try Self.handshake()
        #expect(throws: SOCKSViolation.version(0x48)) { try handshake.step([0x48]) }
        #expect(throws: SOCKSViolation.version(0x48)) { try handshake.step([5, 0]) }
        #expect(throws: SOCKSViolation.version(0x48)) { try handshake.step([]) }
    }

    @Test
    func `a description hides user and password`() throws {
        var handshake = try Self.handshake("a", 80, "Albert", "secret")
        var texts = ["\(handshake)", String(reflecting: handshake)]
        for bytes: [UInt8] in [[5, 2], [1, 0], [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]] {
            _ = try handshake.step(bytes)
            texts.append("\(handshake)")
        }
        var failed = try Self.handshake("a", 80, "Albert", "secret")
        #expect(throws: SOCKSViolation.self) { try failed.step([5, 0xFF]) }
        texts.append("\(failed)")
        #expect(Set(texts).count == 5)
        for text in texts { #expect(!text.contains("Albert") && !text.contains("secret") && text.hasPrefix("SOCKS 5")) }
    }
}

extension SOCKS5Handshake {
    /// Performs one step with all bytes of an array.
    mutating func step(_ bytes: [UInt8]) throws(SOCKSViolation) -> Step {
        try self.receive(ContiguousArray(bytes).span.bytes)
    }
}
