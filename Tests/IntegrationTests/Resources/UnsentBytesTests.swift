// SPDX-License-Identifier: Apache-2.0
import Foundation
import NIOCore
import TernCLibrary
import TernConnections
import TernNIO
import TestSupport
import Testing

#if canImport(CNIOLinux)
import CNIOLinux  // owns the structures of addresses for the compiler, if NIO was loaded before Glibc
#endif

@Suite("Bytes that a socket has not taken", .hangLimit)
struct UnsentBytesTests {
    /// A socket on the loopback interface to which one client can connect, and which reads bytes only when a test asks
    /// for them.
    private struct Listener: ~Copyable {
        let descriptor: CInt
        let port: Int

        init() throws {
            self.descriptor = socket(AF_INET, CLibrary.streamSocket, 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let descriptor = self.descriptor
            let isListening = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(descriptor, address, size) == 0 && listen(descriptor, 1) == 0
                        && getsockname(descriptor, address, &size) == 0
                }
            }
            self.port = Int(UInt16(bigEndian: address.sin_port))
            try #require(isListening)
        }

        deinit { close(self.descriptor) }

        /// Returns the connection of the client, which the caller must close.
        func client() -> CInt { accept(self.descriptor, nil, nil) }

        /// Reads a number of bytes from a client, or all bytes if the client sends fewer.
        static func read(_ byteCount: Int, from client: CInt) -> Int {
            var (buffer, count) = ([UInt8](repeating: 0, count: 1 << 20), 0)
            while count < byteCount {
                let received = recv(client, &buffer, buffer.count, 0)
                guard received > 0 else { break }
                count += received
            }
            return count
        }
    }

    @Test func `a connection is ready for another exchange once the socket has taken all that was queued`() async throws
    {
        let listener = try Listener()
        let connection = try await NIOConnector().connect(to: .host("127.0.0.1", port: listener.port), deadline: nil)
        #expect(connection.isReadyForExchange)
        let byteCount = 64 << 20  // more than the buffers of both sockets can contain
        #expect(try !connection.enqueue(ByteBuffer(repeating: 7, count: byteCount)))
        #expect(!connection.isReadyForExchange)
        let client = listener.client()
        defer { close(client) }
        #expect(!connection.isReadyForExchange)
        #expect(Listener.read(byteCount, from: client) == byteCount)
        try await eventually("all was sent") { connection.isReadyForExchange }
        connection.close()
    }

    @Test func `what the socket takes at once leaves a connection ready`() async throws {
        let listener = try Listener()
        let connection = try await NIOConnector().connect(to: .host("127.0.0.1", port: listener.port), deadline: nil)
        for _ in 0..<3 {
            #expect(try connection.enqueue(ByteBuffer(repeating: 7, count: 1000)))
            try await eventually("all was sent") { connection.isReadyForExchange }
        }
        connection.close()
    }
}
