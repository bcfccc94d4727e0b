// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernFields

@testable import TernHTTP2

/// A scripted server that writes frames, and the client's machine that reads them.
struct ScriptedPeer {
    var machine: HTTP2ConnectionStateMachine
    var effects: [HTTP2Effect] = []
    var time: Duration
    var encoder = HPACKEncoder()
    private var requestDecoder = HPACKDecoder()
    private var frameDecoder = FrameDecoder()

    /// Creates a connection.
    ///
    /// The connection has already exchanged the prefaces. If `settings` is `nil`, the test must send the server's
    /// preface itself.
    ///
    /// - Parameters:
    ///   - limits: The limits of the client.
    ///   - flow: The sizes of the client's windows.
    ///   - settings: The settings of the server.
    ///   - roundTrip: The time until the server has acknowledged the client's settings.
    init(
        limits: HTTP2Limits = HTTP2Limits(),
        flow: FlowPolicy = FlowPolicy(),
        settings: [(SettingIdentifier, UInt32)]? = [],
        roundTrip: Duration = .zero
    ) {
        self.time = roundTrip
        self.machine = HTTP2ConnectionStateMachine(limits: limits, flow: flow)
        guard let settings else { return }
        self.machine.discardOutput()
        self.send(Frames.settings(settings) + Frames.settingsAcknowledgement)
        self.machine.discardOutput()
        self.effects = []
    }

    /// Opens a stream with a request, and returns its identifier; 0 if the machine refuses the request.
    @discardableResult
    mutating func open(
        _ method: HTTPRequest.Method = .get,
        path: String = "/",
        fields: HTTPFields = [:],
        endsStream: Bool = true
    ) -> HTTP2StreamID {
        let head = HTTP2RequestHead(
            method: method,
            scheme: "https",
            authority: "example.com",
            path: path,
            fields: fields
        )
        guard let stream = try? self.machine.openStream(head, endsStream: endsStream) else { return .connection }
        return stream
    }

    /// Passes bytes to the machine in one piece.
    mutating func send(_ bytes: [UInt8]) {
        self.machine.receive(ContiguousArray(bytes).span.bytes, at: self.time, effects: &self.effects)
    }

    /// Returns a HEADERS frame with the fields of a response.
    mutating func headers(
        _ stream: HTTP2StreamID,
        _ fields: [(String, String)] = [(":status", "200")],
        endsStream: Bool = false
    ) -> [UInt8] {
        Frames.headers(stream, self.encoder.block(fields), endsStream: endsStream)
    }

    /// Returns the effects since the last call.
    mutating func takeEffects() -> [HTTP2Effect] {
        defer { self.effects = [] }
        return self.effects
    }

    /// Returns the frames that the machine wrote since the last call, without the preface.
    mutating func takeFrames() -> [WrittenFrame] {
        var output = self.machine.takeOutput()
        if output.starts(with: FrameEncoder.preface) { output.removeFirst(FrameEncoder.preface.count) }
        return WrittenFrame.all(in: output)
    }

    /// Returns the field lines of a HEADERS frame that the machine wrote.
    mutating func lines(of frame: WrittenFrame?) throws -> [String] {
        try self.requestDecoder.lines(of: frame?.payload ?? [])
    }

    /// The violation that ended the connection; `nil` if no violation has occurred.
    var failure: HTTP2Violation? {
        for case .connectionFailed(let violation) in self.effects { return violation }
        return nil
    }

    /// Returns the violation that ended a stream; `nil` if no violation has occurred.
    func failure(of stream: HTTP2StreamID) -> HTTP2Violation? {
        for case .failed(stream, .violation(let violation), .unknown) in self.effects { return violation }
        return nil
    }
}

/// A frame that the machine wrote.
struct WrittenFrame: Equatable {
    var header: FrameHeader
    var payload: [UInt8]

    var type: FrameType { self.header.type }
    /// The first four bytes of the payload as a number.
    var number: Int { self.payload.prefix(4).reduce(0) { $0 << 8 | Int($1) } }
    /// The code of a RST_STREAM or a GOAWAY.
    var code: HTTP2ErrorCode {
        let bytes = self.type == .goAway ? self.payload.dropFirst(4).prefix(4) : self.payload.prefix(4)
        return HTTP2ErrorCode(rawValue: bytes.reduce(0) { $0 << 8 | UInt32($1) })
    }

    static func all(in bytes: [UInt8]) -> [WrittenFrame] {
        var (frames, rest): ([WrittenFrame], ArraySlice<UInt8>) = ([], bytes[...])
        while rest.count >= 9 {
            let header = Array(rest.prefix(9))
            let length = Int(header[0]) << 16 | Int(header[1]) << 8 | Int(header[2])
            let stream = header[5...].reduce(0) { $0 << 8 | UInt32($1) }
            let frame = FrameHeader(
                FrameType(rawValue: header[3]),
                .init(rawValue: header[4]),
                stream: HTTP2StreamID(rawValue: stream),
                payloadByteCount: length
            )
            frames.append(WrittenFrame(header: frame, payload: Array(rest.dropFirst(9).prefix(length))))
            rest = rest.dropFirst(9 + length)
        }
        return frames
    }
}
