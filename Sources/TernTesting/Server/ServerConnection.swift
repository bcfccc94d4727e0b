// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
package import NIOCore
import Synchronization
public import TernConnections

/// The server's end of a connection in memory, which reads what the client sends, and writes what the client gets.
///
/// Only one task at a time may read. Releasing the object closes the connection.
public final class ServerConnection: Sendable {
    /// The number of the client's connection in its connector, from 1.
    public let number: Int

    private let connection: MemoryConnection
    private let unread = Mutex(ByteBuffer())
    private let waitLimit: Duration
    private let clock: any TransportClock
    private let script: Atomic<Int>
    /// `nil` if the client uses HTTP/1.1.
    private let streams: StreamNumbers?

    init(
        _ connection: MemoryConnection,
        number: Int,
        scriptNumber: Int? = nil,
        streams: StreamNumbers? = nil,
        waitLimit: Duration,
        clock: any TransportClock
    ) {
        self.connection = connection
        self.number = number
        self.script = Atomic(scriptNumber ?? number)
        self.streams = streams
        self.waitLimit = waitLimit
        self.clock = clock
    }

    // MARK: Reading

    /// Waits for bytes, without a time limit; returns `nil` once the client has ended its side.
    public func read() async throws(ConnectionError) -> [UInt8]? {
        try await self.readBuffer().map { Array($0.readableBytesView) }
    }

    private func readBuffer() async throws(ConnectionError) -> ByteBuffer? {
        let unread = self.unread.withLock { unread in
            defer { unread.clear() }
            return unread
        }
        guard unread.readableBytes == 0 else { return unread }
        return try await self.connection.read(atLeast: 1, deadline: nil)
    }

    /// Waits for the head of a request; `nil` if the client ends its side first; throws `ScriptedServerError` for a bad head.
    public func readHead() async throws -> ReceivedRequest? {
        while true {
            if let head = self.takeHead() {
                return try ReceivedRequest(head: head, connection: self.number, stream: self.streams?.next())
            }
            let hasBegun = self.unread.withLock { $0.readableBytes } > 0
            guard try await self.fill(for: hasBegun ? "the rest of the head of a request" : nil) else {
                guard self.unread.withLock({ $0.readableBytes }) == 0 else {
                    throw ScriptedServerError.truncatedRequest
                }
                return nil
            }
        }
    }

    /// Waits for the next request and its body, chunked or with a `Content-Length`; `nil` if the client ends its side first.
    public func readRequest() async throws -> ReceivedRequest? {
        guard var request = try await self.readHead() else { return nil }
        try await self.readBody(of: &request)
        return request
    }

    /// Waits for the body and the trailers of a request whose head was read.
    public func readBody(of request: inout ReceivedRequest) async throws {
        if request.fields[.transferEncoding] != nil {
            request.body = try await self.readChunks()
            return request.trailers = try await self.readTrailers()
        }
        guard let text = request.fields[.contentLength] else { return }
        guard let length = Int(text), length >= 0 else { throw ScriptedServerError.malformedRequest("Content-Length") }
        request.body = try await self.readBytes(length)
    }

    /// Waits for exactly `count` bytes.
    ///
    /// Throws `ScriptedServerError.truncatedRequest` if fewer arrive, or `ConnectionError`. After a minute of real time without any
    /// bytes, the client's call fails with a text that says which bytes the server waited for.
    public func readBytes(_ count: Int) async throws -> [UInt8] {
        while true {
            if let bytes = self.unread.withLock({ $0.readBytes(length: count) }) { return bytes }
            let found = self.unread.withLock { $0.readableBytes }
            guard try await self.fill(for: "\(count.counted("byte")), of which \(found) arrived") else {
                throw ScriptedServerError.truncatedRequest
            }
        }
    }

    /// Reads and discards bytes until the client has ended its side, or reading fails.
    public func waitForEnd() async {
        while let bytes = try? await self.readBuffer(), bytes.readableBytes > 0 {}
    }

    // MARK: Writing

    /// Sends text.
    public func write(_ text: String) async throws(ConnectionError) {
        try await self.write(ByteBuffer(string: text))
    }

    /// Sends bytes.
    public func write(_ bytes: some Sequence<UInt8>) async throws(ConnectionError) {
        try await self.write(ByteBuffer(bytes: bytes))
    }

    package func write(_ bytes: ByteBuffer) async throws(ConnectionError) {
        guard bytes.readableBytes > 0 else { return }
        try await self.connection.write(bytes, deadline: nil)
    }

    // MARK: Waiting

    /// Waits by the clock of the connector; throws `ConnectionError.closed` if the client ends its side first.
    public func pause(for duration: Duration) async throws(ConnectionError) {
        let pause = Suspension<Result<Void, ConnectionError>>()
        self.connection.onEnd { pause.resume(with: .failure(.closed)) }
        try await pause.wait(
            until: self.clock.now.advanced(by: duration),
            on: self.clock,
            onTimeout: .success(()),
            onCancel: .failure(.cancelled)
        ).get()
    }

    // MARK: Ending

    /// Ends the server's side normally, after all sent bytes; the server can still read.
    public func finish() { self.connection.finish() }

    /// Closes the connection normally, after all sent bytes.
    public func close() { self.connection.close() }

    /// Resets the connection; sent bytes that have not arrived are lost.
    public func reset() { self.connection.reset() }

    /// Fails the client's call with the description of the error, except if the client is gone or the test is over.
    func end(after error: any Error) {
        switch error {
        // The client is gone, or the test is over.
        case is ConnectionError, is CancellationError, ScriptedServerError.truncatedRequest: self.close()
        case let stall as TestStallError: self.fail(stall.description)
        case ScriptedServerError.malformedRequest(let part):
            self.fail("The server of connection \(self.number) could not read \(part) from the client.")
        default: self.fail("The server of connection \(self.number) threw \(error).")
        }
    }

    package func fail(_ reason: String) { self.connection.fail(.failed(reason: reason)) }

    // MARK: Parts

    var scriptNumber: Int {
        get { self.script.load(ordering: .relaxed) }
        set { self.script.store(newValue, ordering: .relaxed) }
    }

    /// Removes a prefix of the unread bytes; returns whether they began with it.
    func takePrefix(_ prefix: [UInt8]) async throws(ConnectionError) -> Bool {
        while true {
            let begin = self.unread.withLock { Array($0.readableBytesView.prefix(prefix.count)) }
            guard prefix.starts(with: begin) else { return false }
            if begin.count == prefix.count {
                self.unread.withLock { $0.moveReaderIndex(forwardBy: prefix.count) }
                return true
            }
            guard try await self.fill(for: begin.isEmpty ? nil : "the rest of the first line") else { return false }
        }
    }

    var hasUnread: Bool { self.unread.withLock { $0.readableBytes } > 0 }

    /// Waits for bytes, within the time limit if `what` describes them; returns `false` if the client has ended its side.
    private func fill(for what: String?) async throws(ConnectionError) -> Bool {
        let timer = what.map { what in
            let clock = SystemClock()
            return clock.schedule(at: clock.now.advanced(by: self.waitLimit)) { [weak self] in
                guard let self else { return }
                self.fail("The server of connection \(self.number) waited \(self.waitLimit) for \(what).")
            }
        }
        defer { timer?.cancel() }
        guard let bytes = try await self.connection.read(atLeast: 1, deadline: nil) else { return false }
        _ = self.unread.withLock { $0.writeImmutableBuffer(bytes) }
        return true
    }

    private func takeHead() -> [UInt8]? { self.takeBytes(upTo: "\r\n\r\n") }

    private func takeText(upTo mark: String) -> String? {
        self.takeBytes(upTo: mark).map { String(decoding: $0, as: UTF8.self) }
    }

    private func takeBytes(upTo mark: String) -> [UInt8]? {
        self.unread.withLock { unread in
            let bytes = Array(unread.readableBytesView)
            let mark = Array(mark.utf8)
            guard bytes.count >= mark.count else { return nil }
            for start in 0...(bytes.count - mark.count) where bytes[start..<start + mark.count].elementsEqual(mark) {
                unread.moveReaderIndex(forwardBy: start + mark.count)
                return Array(bytes[..<start])
            }
            return nil
        }
    }

    private func readLine() async throws -> String {
        while true {
            if let line = self.takeText(upTo: "\r\n") { return line }
            guard try await self.fill(for: "a line of a chunked body") else {
                throw ScriptedServerError.truncatedRequest
            }
        }
    }

    private func readChunks() async throws -> [UInt8] {
        var body: [UInt8] = []
        while true {
            guard let count = Int(try await self.readLine(), radix: 16), count >= 0 else {
                throw ScriptedServerError.malformedRequest("a chunk size")
            }
            if count == 0 { return body }
            body += try await self.readBytes(count)
            guard try await self.readLine().isEmpty else {
                throw ScriptedServerError.malformedRequest("the end of a chunk")
            }
        }
    }

    /// Includes the empty line (RFC 9112 §7.1.2).
    private func readTrailers() async throws -> HTTPFields {
        var trailers = HTTPFields()
        while true {
            let line = try await self.readLine()
            if line.isEmpty { return trailers }
            try trailers.append(line: Array(line.utf8)[...])
        }
    }
}
