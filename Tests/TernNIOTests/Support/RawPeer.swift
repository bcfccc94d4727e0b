// SPDX-License-Identifier: Apache-2.0
import Foundation
import TernCLibrary
import Testing

#if canImport(CNIOLinux)
import CNIOLinux  // owns the structures of addresses for the compiler, if NIO was loaded before Glibc
#endif

/// A socket on the loopback interface that accepts clients, with the system's calls alone.
final class RawListener: Sendable {
    private let descriptor: CInt
    let port: Int

    init() throws {
        let descriptor = socket(AF_INET, CLibrary.streamSocket, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        self.descriptor = descriptor
        self.port = Int(UInt16(bigEndian: address.sin_port))
        try #require(isListening)
    }

    deinit { close(self.descriptor) }

    /// Accepts a client, which has connected already.
    func accepted() throws -> RawPeer {
        let client = accept(self.descriptor, nil, nil)
        try #require(client >= 0)
        return RawPeer(client)
    }
}

/// The server's end of a connection.
///
/// Its methods block, so use them on a separate thread if they may wait.
final class RawPeer: Sendable {
    private let descriptor: CInt

    fileprivate init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(self.descriptor) }

    /// Reads a number of bytes, or all bytes if the client sends fewer.
    func read(_ byteCount: Int) -> [UInt8] {
        var (result, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
        while result.count < byteCount {
            let count = recv(self.descriptor, &buffer, min(buffer.count, byteCount - result.count), 0)
            guard count > 0 else { break }
            result += buffer[..<count]
        }
        return result
    }

    /// Sends bytes; returns whether the client's system took all of them.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(self.descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Sends as many bytes as the systems of both sides take now, but at most about `limit`; returns their number.
    func writeAvailable(upTo limit: Int) -> Int {
        let bytes = [UInt8](repeating: 7, count: 1 << 16)
        var total = 0
        while total < limit {
            let count = send(self.descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
            guard count > 0 else { break }
            total += count
        }
        return total
    }

    /// Ends this side.
    func end() { shutdown(self.descriptor, CInt(SHUT_WR)) }

    /// Makes the end of this object reset the connection.
    func resetsAtEnd() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(self.descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }

    /// Returns each line of `byteCount` bytes to the client, until the client ends.
    func echo(_ byteCount: Int) {
        while true {
            let bytes = self.read(byteCount)
            guard bytes.count == byteCount, self.write(bytes) else { return }
        }
    }
}

/// Runs blocking work on a thread of its own, and waits for it without blocking.
func onThread<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: work()) }
    }
}
