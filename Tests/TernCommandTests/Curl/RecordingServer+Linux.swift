// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl.

#if os(Linux)
import Foundation
import Synchronization

/// A server on loopback that gets its answers from a closure, and records each request as received.
///
/// Each connection has a separate thread, which blocks. The clients are other processes.
final class RecordingServer: Sendable {
    /// A request as received.
    struct Exchange: Equatable, Sendable {
        var method = ""
        var target = ""
        /// The fields by their names in lower case.
        ///
        /// Commas join the values of one name.
        var fields: [String: String] = [:]
        var body = ""
    }

    /// The answer to a request.
    struct Answer: Sendable {
        var status = "200 OK"
        var fields: [String] = []
        var body = "hello\n"
        /// The number of bytes of the body after which the server closes the connection; `nil` if it sends the whole
        /// body.
        var cut: Int?
    }

    /// The port; 0 for a server on a Unix-domain socket.
    let port: Int

    private let listener: CInt
    private let recorded = Mutex<[Exchange]>([])

    /// The requests received so far, in order.
    var exchanges: [Exchange] { self.recorded.withLock { $0 } }

    /// Creates a server, and begins to accept connections.
    ///
    /// - Parameters:
    ///   - path: The path of a Unix-domain socket to create. Defaults to `nil`, which listens on a free port.
    ///   - answer: A closure that returns the answer to a request. It also gets the number of the request, from 0.
    /// - Throws: `Failure` if the socket cannot be created.
    init(
        unixSocket path: String? = nil,
        answer: @escaping @Sendable (Exchange, Int) -> Answer = { _, _ in Answer() }
    ) throws {
        (self.listener, self.port) = try path.map { (try Self.listen(at: $0), 0) } ?? Self.listenOnPort()
        let listener = self.listener
        let state = Weak(self)
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return }
                Thread.detachNewThread {
                    Self.serve(connection) { exchange in
                        guard let server = state.server else { return Answer() }
                        let index = server.recorded.withLock { recorded in
                            recorded.append(exchange)
                            return recorded.count - 1
                        }
                        return answer(exchange, index)
                    }
                    close(connection)
                }
            }
        }
    }

    deinit {
        shutdown(self.listener, CInt(SHUT_RDWR))
        close(self.listener)
    }

    private final class Weak: Sendable {
        weak let server: RecordingServer?
        init(_ server: RecordingServer) { self.server = server }
    }

    private struct Failure: Error {}

    private static func listenOnPort() throws -> (CInt, Int) {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && Glibc.listen(descriptor, 16) == 0
                    && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isListening else { throw Failure() }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    private static func listen(at path: String) throws -> CInt {
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8.prefix(107))) }
        let isListening = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                    && Glibc.listen(descriptor, 16) == 0
            }
        }
        guard isListening else { throw Failure() }
        return descriptor
    }

    // MARK: Serving

    private static func serve(_ connection: CInt, _ answer: (Exchange) -> Answer) {
        var reader = Reader(descriptor: connection)
        while let exchange = reader.nextExchange() {
            let answer = answer(exchange)
            let body = Array(answer.body.utf8)
            var fields = answer.fields
            if !fields.contains(where: { $0.lowercased().hasPrefix("content-length:") }) {
                fields.append("Content-Length: \(body.count)")
            }
            let head = (["HTTP/1.1 \(answer.status)"] + fields).joined(separator: "\r\n") + "\r\n\r\n"
            let hasBody = exchange.method != "HEAD" && !answer.status.hasPrefix("304")
            guard Self.write(Array(head.utf8) + (hasBody ? body.prefix(answer.cut ?? body.count) : []), connection),
                answer.cut == nil
            else { return }
        }
    }

    private static func write(_ bytes: [UInt8], _ connection: CInt) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Reads requests from a connection.
    private struct Reader {
        let descriptor: CInt
        var bytes: [UInt8] = []

        mutating func fill() -> Bool {
            var piece = [UInt8](repeating: 0, count: 64 << 10)
            let count = recv(self.descriptor, &piece, piece.count, 0)
            guard count > 0 else { return false }
            self.bytes += piece.prefix(count)
            return true
        }

        mutating func line() -> String? {
            while true {
                if let end = self.bytes.firstIndex(of: 10) {
                    let line = self.bytes[..<end].filter { $0 != 13 }
                    self.bytes.removeFirst(end + 1)
                    return String(decoding: line, as: UTF8.self)
                }
                guard self.fill() else { return nil }
            }
        }

        mutating func take(_ count: Int) -> [UInt8]? {
            while self.bytes.count < count { guard self.fill() else { return nil } }
            defer { self.bytes.removeFirst(count) }
            return Array(self.bytes.prefix(count))
        }

        mutating func nextExchange() -> Exchange? {
            guard let first = self.line() else { return nil }
            let parts = first.split(separator: " ")
            guard parts.count == 3 else { return nil }
            var exchange = Exchange(method: String(parts[0]), target: String(parts[1]))
            while let line = self.line(), !line.isEmpty {
                guard let colon = line.firstIndex(of: ":") else { return nil }
                let name = line[..<colon].lowercased()
                let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
                exchange.fields[name] = exchange.fields[name].map { "\($0), \(value)" } ?? value
            }
            if exchange.fields["expect"] != nil {
                _ = RecordingServer.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), self.descriptor)
            }
            guard let body = self.body(of: exchange) else { return nil }
            exchange.body = String(decoding: body, as: UTF8.self)
            return exchange
        }

        private mutating func body(of exchange: Exchange) -> [UInt8]? {
            guard exchange.fields["transfer-encoding"] == nil else {
                var body: [UInt8] = []
                while let line = self.line(), let count = Int(line, radix: 16) {
                    guard let piece = self.take(count), self.line() != nil else { return nil }
                    body += piece
                    if count == 0 { return body }
                }
                return nil
            }
            return self.take(exchange.fields["content-length"].flatMap { Int($0) } ?? 0)
        }
    }
}
#endif
