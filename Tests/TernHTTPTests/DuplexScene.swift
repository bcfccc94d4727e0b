// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import HTTPTypes
import NIOCore
import TernErrors
import TernFoundation
import TernHTTP
import TernRequests
import TernTesting
import TernTransport

/// A call over a connection in memory, for which a test writes the body while it reads the response.
struct DuplexScene: Sendable {
    let clock = ManualClock()
    let connector: MemoryConnector
    let transport: HTTPTransport
    let writer: RequestBody.Writer
    private let request: Request

    init(
        length: Int64? = nil,
        expectsContinue: Bool = false,
        plan: ConnectionPlan = .accept(),
        capacity: Int = 64 << 10,
        _ server: @escaping MemoryConnector.Server
    ) {
        self.connector = MemoryConnector(plan: plan, clock: self.clock, capacity: capacity, connection: server)
        self.transport = HTTPTransport(HTTPTransportConfiguration(), connector: self.connector, clock: self.clock)
        let (body, writer) = RequestBody.makeWriter(length: length)
        self.writer = writer
        var request = Request(.post, "http://test/").body(body)
        request.options.expectsContinue = expectsContinue
        self.request = request
    }

    /// Sends the request, and returns the reply as soon as its head has arrived.
    func reply(timeouts: Timeouts = .none) async throws -> HTTPReply {
        let call = HTTPCall(self.request, to: try self.request.destination(), timeouts: timeouts, clock: self.clock)
        return try await self.transport.respond(to: call)
    }

    /// Writes a piece, and returns the error.
    func failureOfWriting(_ text: String = "more") async -> ClientError? {
        await failure { () async throws(ClientError) in try await self.writer.write(text.utf8) }
    }

    /// Writes pieces until a write fails, and returns its fault.
    func failureOfWritingOn() async -> Fault? {
        while true {
            if let fault = await self.failureOfWriting(String(repeating: "x", count: 1000))?.fault { return fault }
        }
    }
}

extension ServerConnection {
    /// The head of a response with a chunked body.
    static let chunkedHead = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    /// Returns the data of the next chunk; empty at the end of the body.
    func readChunk() async throws -> String {
        var line: [UInt8] = []
        while !line.suffix(2).elementsEqual("\r\n".utf8) { line += try await self.readBytes(1) }
        let size = String(decoding: line.dropLast(2), as: UTF8.self)
        guard let count = Int(size, radix: 16) else { throw ScriptedServerError.malformedRequest("a chunk size") }
        return String(decoding: try await self.readBytes(count + 2).dropLast(2), as: UTF8.self)
    }

    /// Sends one chunk; an empty text sends the last chunk.
    func writeChunk(_ text: String) async throws {
        try await self.write("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n")
    }

    /// Answers, and sends each chunk back as soon as it has arrived.
    func echo() async throws {
        guard try await self.readHead() != nil else { return }
        try await self.write(Self.chunkedHead)
        while true {
            let text = try await self.readChunk()
            try await self.writeChunk(text)
            if text.isEmpty { return await self.waitForEnd() }
        }
    }
}

extension ResponseBody.Reader {
    /// Returns the next bytes as text.
    mutating func text() async throws -> String? { try await self.next().map { String(buffer: $0) } }
}
