// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOEmbedded
import Tern
import TernConnections
import TestSupport
import Testing

@testable import TernNIO

/// Tests reading the cipher suite from the bytes of a ServerHello (RFC 8446 §4.1.3).
@Suite("Trust: ServerHello")
struct ServerHelloTests {
    /// Returns a record with a ServerHello.
    private static func hello(session: [UInt8] = [UInt8](repeating: 7, count: 32), suite: UInt16 = 0x1301) -> [UInt8] {
        let body =
            [3, 3] + [UInt8](repeating: 9, count: 32) + [UInt8(session.count)] + session
            + [UInt8(suite >> 8), UInt8(suite & 0xFF), 0]
        return [22, 3, 3, 0, UInt8(body.count + 4), 2, 0, 0, UInt8(body.count)] + body
    }

    private func suite(_ bytes: [UInt8]) -> TLSCipherSuite? {
        ServerHelloHandler.cipherSuite(in: ByteBuffer(bytes: bytes))
    }

    @Test(arguments: [0, 1, 31, 32])
    func `the suite is found behind a session of any length`(_ count: Int) {
        let bytes = Self.hello(session: [UInt8](repeating: 7, count: count), suite: 0xCCA9)
        #expect(self.suite(bytes)?.rawValue == 0xCCA9)
    }

    @Test func `it is found as soon as it is there`() {
        let bytes = Self.hello()
        let needed = bytes.count - 1  // the compression method follows
        for count in 0..<bytes.count {
            #expect(self.suite(Array(bytes.prefix(count))) == (count < needed ? nil : TLSCipherSuite(rawValue: 0x1301)))
        }
    }

    @Test func `what begins like HTTP is plain HTTP, and what begins like nothing of TLS is not TLS`() {
        let plain = ["HTTP/1.1 400 Bad Request", "HTTP/1.0 400", "<!DOCTYPE HTML>", "<html>"]
        for text in plain { #expect(ServerHelloHandler.foreignProtocol(in: Array(text.utf8)) == .plainHTTP) }
        for text in ["SSH-2.0-OpenSSH_9.6\r\n", "220 mail.example ESMTP\r\n", "HELO", "\0\0"] {
            #expect(ServerHelloHandler.foreignProtocol(in: Array(text.utf8)) == .notTLS)
        }
    }

    @Test func `records of TLS are not foreign, whatever is in them`() {
        #expect(ServerHelloHandler.foreignProtocol(in: [UInt8]()) == nil)
        #expect(ServerHelloHandler.foreignProtocol(in: Self.hello()) == nil)
        for type in UInt8(20)...23 { #expect(ServerHelloHandler.foreignProtocol(in: [type, 3, 3, 0, 2]) == nil) }
    }

    @Test func `other bytes are none`() {
        for type in UInt8.min...UInt8.max where type != 22 {
            #expect(self.suite([type] + Self.hello().dropFirst()) == nil)
        }
        var message = Self.hello()
        message[5] = 1
        #expect(self.suite(message) == nil)
        var session = Self.hello()
        session[43] = 33  // RFC 8446 §4.1.2: at most 32
        #expect(self.suite(session) == nil)
        #expect(self.suite([UInt8](repeating: 22, count: 1000)) == nil)
    }

    /// RFC 8446 §5.1: a message may be spread over several records, whose headers are not parts of the message.
    @Test func `a message in several records has no suite that could be told`() {
        let message = Array(Self.hello().dropFirst(5))
        for count in 1..<message.count {
            let parts = [message.prefix(count), message.dropFirst(count)]
            let records = parts.flatMap { [22, 3, 3, 0, UInt8($0.count)] + $0 }
            let isWhole = count >= message.count - 1
            #expect(self.suite(records) == (isWhole ? TLSCipherSuite(rawValue: 0x1301) : nil))
        }
    }

    @Test func `the bytes pass unchanged, in any pieces`() throws {
        let bytes = Self.hello(suite: 0xC02B) + [UInt8](repeating: 5, count: 400)
        for pieces in everySplit(of: bytes) {
            let handler = ServerHelloHandler()
            let channel = EmbeddedChannel(handler: handler)
            var passed: [UInt8] = []
            for piece in pieces {
                try channel.writeInbound(ByteBuffer(bytes: piece))
                while let buffer = try channel.readInbound(as: ByteBuffer.self) {
                    passed += Array(buffer.readableBytesView)
                }
            }
            expectEqual(passed, bytes)
            #expect(handler.cipherSuite?.rawValue == 0xC02B)
            _ = try channel.finish()
        }
    }
}
