// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import NIOCore
public import TernConnections
public import TernWebSocket
public import TernWebSocketCore

/// The server's end of a WebSocket in memory, whose frames a test sends and receives itself.
///
/// ```swift
/// let connector = MemoryConnector(connection: { connection in
///     let socket = try await ServerWebSocket.accept(connection)
///     while let frame = try await socket.receive(), frame.opcode != .close {
///         try await socket.send(frame.opcode, payload: frame.payload)  // an echo
///     }
///     try await socket.send(.close)
/// })
/// let socket = try await Client(connector: connector).webSocket(from: url)
/// ```
///
/// The object sends nothing by itself, not even an answer to a Ping. It does not check what it sends, so a test may send
/// invalid frames. ``receive()`` refuses a frame that it cannot read, and checks nothing else.
public struct ServerWebSocket: Sendable {
    /// The underlying connection.
    public let connection: ServerConnection
    /// The request that opened the WebSocket; `nil` after ``init(_:)``.
    public let request: ReceivedRequest?

    /// Takes over a connection on which both sides already speak WebSocket.
    public init(_ connection: ServerConnection) {
        self.connection = connection
        self.request = nil
    }

    private init(_ connection: ServerConnection, _ request: ReceivedRequest) {
        self.connection = connection
        self.request = request
    }

    /// Reads the client's opening handshake, and accepts it; throws `ScriptedServerError` if it has no `Sec-WebSocket-Key`.
    public static func accept(
        _ connection: ServerConnection,
        fields: HTTPFields = [:]
    ) async throws -> ServerWebSocket {
        guard let request = try await connection.readHead() else { throw ScriptedServerError.truncatedRequest }
        guard let key = request.fields[.secWebSocketKey] else {
            throw ScriptedServerError.malformedRequest("Sec-WebSocket-Key")
        }
        var answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        answer += "Sec-WebSocket-Accept: \(ClientHandshake.accept(for: key))\r\n"
        for field in fields { answer += "\(field.name.rawName): \(field.value)\r\n" }
        try await connection.write(answer + "\r\n")
        return ServerWebSocket(connection, request)
    }

    // MARK: Sending

    /// Sends a message in one frame.
    public func send(_ message: WebSocketMessage) async throws(ConnectionError) {
        switch message {
        case .text(let text): try await self.send(.text, payload: Array(text.utf8))
        case .binary(let data): try await self.send(.binary, payload: Array(data))
        }
    }

    /// Sends an unmasked frame, with the bits FIN (the last frame of a message) and RSV1 (a compressed message) as given.
    public func send(
        _ opcode: FrameOpcode,
        isFinal: Bool = true,
        isCompressed: Bool = false,
        payload: [UInt8] = []
    ) async throws(ConnectionError) {
        var frame = ByteBuffer()
        frame.writeInteger((isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode.rawValue)
        switch payload.count {
        case ...125: frame.writeInteger(UInt8(payload.count))
        case ...0xFFFF: frame.writeMultipleIntegers(UInt8(126), UInt16(payload.count))
        default: frame.writeMultipleIntegers(UInt8(127), UInt64(payload.count))
        }
        frame.writeBytes(payload)
        try await self.connection.write(frame)
    }

    /// Sends a Close frame.
    public func sendClose(_ code: CloseCode, reason: String = "") async throws(ConnectionError) {
        let code = [UInt8(code.rawValue >> 8), UInt8(truncatingIfNeeded: code.rawValue)]
        try await self.send(.close, payload: code + Array(reason.utf8))
    }

    // MARK: Receiving

    /// A frame from the client, unmasked.
    public struct Frame: Hashable, Sendable {
        /// The type of the frame.
        public var opcode: FrameOpcode
        /// Whether the bit FIN is set, which marks the last frame of a message.
        public var isFinal: Bool
        /// Whether the bit RSV1 is set, which marks a compressed message.
        public var isCompressed: Bool
        /// The payload.
        public var payload: [UInt8]

        /// Creates a frame that a test can compare with a received one.
        public init(_ opcode: FrameOpcode, isFinal: Bool = true, isCompressed: Bool = false, payload: [UInt8] = []) {
            self.opcode = opcode
            self.isFinal = isFinal
            self.isCompressed = isCompressed
            self.payload = payload
        }

        /// The payload as text.
        public var text: String { String(decoding: self.payload, as: UTF8.self) }
        /// The code of a Close frame; `nil` for a Close frame without a code, and for any other frame.
        public var closeCode: CloseCode? {
            guard self.opcode == .close, self.payload.count >= 2 else { return nil }
            return CloseCode(rawValue: UInt16(self.payload[0]) << 8 | UInt16(self.payload[1]))
        }
    }

    /// Waits for the next frame, at most a minute without bytes, and returns it unmasked; `nil` if the client ends its side first.
    ///
    /// Throws `ConnectionError`, or `ScriptedServerError` if the frame is not masked or not complete, or has an unknown opcode or
    /// an invalid length.
    public func receive() async throws -> Frame? {
        guard let start = try await self.readStart() else { return nil }
        let second = try await self.connection.readBytes(1)[0]
        let violation = ScriptedServerError.malformedRequest("a WebSocket frame")
        guard let opcode = FrameOpcode(rawValue: start & 0x0F), second & 0x80 != 0 else { throw violation }
        let length: Int? =
            switch second & 0x7F {
            case 126: try await self.readInteger(byteCount: 2)
            case 127: try await self.readInteger(byteCount: 8)
            default: Int(second & 0x7F)
            }
        // RFC 6455 §5.2: of 8 bytes, "the most significant bit MUST be 0".
        guard let length else { throw violation }
        let key = try await self.connection.readBytes(4)
        var payload = try await self.connection.readBytes(length)
        for index in payload.indices { payload[index] ^= key[index % 4] }
        return Frame(
            opcode,
            isFinal: start & 0x80 != 0,
            isCompressed: start & 0x40 != 0,
            payload: payload
        )
    }

    private func readStart() async throws -> UInt8? {
        do {
            return try await self.connection.readBytes(1)[0]
        } catch ScriptedServerError.truncatedRequest {
            return nil
        }
    }

    /// Returns `nil` if the number does not fit.
    private func readInteger(byteCount: Int) async throws -> Int? {
        Int(exactly: try await self.connection.readBytes(byteCount).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
