// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernFields
import TernHTTP2

/// Receives arbitrary bytes from a server, and traps if a stream does not end exactly once, or if memory grows too
/// large.
///
/// The first byte chooses the limits. The second byte chooses what the client does meanwhile. The rest is what the
/// server sends after its preface. The target runs twice: it receives the bytes at once, and then in pieces. If the
/// client does nothing meanwhile, both runs must have the same outcome.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTP2Connection(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count >= 2 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start + 2, count: count - 2))
    let actions = Actions(start[1])
    let whole = Conversation(bytes, options: start[0], pieces: Pieces(seed: 0), actions)
    let split = Conversation(bytes, options: start[0], pieces: Pieces(seed: start[1] | 1), actions)
    precondition(!actions.isIdle || whole.outcomes == split.outcomes, "a split changed the responses")
    return 0
}

/// The actions of the client while the server sends.
struct Actions {
    let reads: Bool
    let resets: Bool
    let sends: Bool

    init(_ byte: UInt8) { (self.reads, self.resets, self.sends) = (byte & 2 != 0, byte & 4 != 0, byte & 8 != 0) }

    var isIdle: Bool { !self.reads && !self.resets && !self.sends }
}

/// The outcome of a stream.
struct Exchange: Equatable {
    enum End: Equatable {
        case complete
        case failed(HTTP2StreamFailure, HTTP2Delivery)
    }

    var interimCount = 0
    var head: HTTP2ResponseHead?
    var content: [UInt8] = []
    var end: End?
    var isStopped = false
}

struct Conversation {
    private var streams: [HTTP2StreamID: Exchange] = [:]
    /// The outcomes of all streams, without the content of streams that failed.
    ///
    /// If a response breaks a rule, the amount of content before that depends on the pieces.
    var outcomes: [HTTP2StreamID: Exchange] {
        self.streams.mapValues { exchange in
            var outcome = exchange
            if exchange.end != .complete { outcome.content = [] }
            return outcome
        }
    }
    private var machine: HTTP2ConnectionStateMachine
    private var time = Duration.zero
    private var isOver = false

    init(_ bytes: [UInt8], options: UInt8, pieces: Pieces, _ actions: Actions) {
        var limits = HTTP2Limits()
        if options & 1 != 0 { (limits.maximumFieldListByteCount, limits.maximumDecodedFieldListByteCount) = (300, 900) }
        if options & 2 != 0 { (limits.floods.ping, limits.floods.malformed, limits.floods.reset) = (3, 3, 3) }
        if options & 4 != 0 { limits.rememberedResetCount = 1 }
        var flow = FlowPolicy()
        if options & 8 != 0 { (flow.initialStreamWindowByteCount, flow.maximumUnreadByteCount) = (100, 70_000) }
        self.machine = HTTP2ConnectionStateMachine(limits: limits, flow: flow)
        for method in [HTTPRequest.Method.get, .head, .post, .connect] { self.open(method) }
        var settings: [UInt8] = []
        FrameEncoder.settings([], into: &settings)
        self.receive(options & 16 == 0 ? settings : [], actions)
        var (pieces, received) = (pieces, 0)
        while received < bytes.count {
            let count = min(pieces.next(), bytes.count - received)
            self.receive(Array(bytes[received..<received + count]), actions)
            received += count
            self.act(actions)
        }
        self.finish()
    }

    private mutating func open(_ method: HTTPRequest.Method) {
        let head = HTTP2RequestHead(method: method, scheme: "https", authority: "a:1", path: "/")
        let endsStream = method != .post && method != .connect
        guard let stream = try? self.machine.openStream(head, endsStream: endsStream) else { return }
        precondition(self.streams[stream] == nil, "a stream was opened twice")
        self.streams[stream] = Exchange()
    }

    private mutating func receive(_ input: [UInt8], _ actions: Actions) {
        var effects: [HTTP2Effect] = []
        self.machine.receive(input.span.bytes, at: self.time, effects: &effects)
        for effect in effects { self.note(effect, input, actions) }
        precondition(self.machine.bufferedByteCount <= 2 << 20, "the machine keeps too many bytes")
        precondition(self.machine.output.count <= 64 * input.count + 4096, "the machine wrote too many bytes")
        precondition(self.machine.missingByteCount >= 0)
        self.machine.discardOutput()
    }

    private mutating func note(_ effect: HTTP2Effect, _ input: [UInt8], _ actions: Actions) {
        precondition(!self.isOver, "an effect came after the end of the connection")
        switch effect {
        case .interim(let stream, let head):
            precondition(100..<200 ~= head.statusCode && head.statusCode != 101, "the status is not interim")
            self.change(stream) { $0.interimCount += 1 }
        case .head(let stream, let head):
            precondition(200...999 ~= head.statusCode, "the status is not final")
            _ = head.fields.makeHTTPFields()
            self.change(stream) {
                precondition($0.head == nil, "a stream has a second final head")
                $0.head = head
            }
        case .data(let stream, let range):
            self.change(stream) {
                precondition($0.head != nil && !range.isEmpty, "content without a head")
                $0.content += input[range]
            }
            if actions.reads { self.machine.consumed(range.count, on: stream) }
        case .trailers(let stream, _): self.change(stream) { precondition($0.head != nil, "trailers without a head") }
        case .end(let stream): self.end(stream, .complete)
        case .failed(let stream, let failure, let delivery): self.end(stream, .failed(failure, delivery))
        case .requestStopped(let stream, _):
            precondition(self.streams[stream]?.end == .complete, "a response was lost")
            precondition(self.streams[stream]?.isStopped == false, "a request was stopped twice")
            self.streams[stream]?.isStopped = true
        case .windowOpened(let stream): precondition(self.streams[stream] != nil, "an effect names an unknown stream")
        case .connectionFailed: self.isOver = true
        case .connectionWindowOpened, .settingsChanged, .pingAnswered, .goingAway: break
        }
    }

    private mutating func change(_ stream: HTTP2StreamID, _ body: (inout Exchange) -> Void) {
        guard var exchange = self.streams[stream] else { preconditionFailure("an effect names an unknown stream") }
        precondition(exchange.end == nil, "an effect came after the end of its stream")
        body(&exchange)
        self.streams[stream] = exchange
    }

    private mutating func end(_ stream: HTTP2StreamID, _ end: Exchange.End) {
        self.change(stream) {
            precondition(end != .complete || $0.head != nil, "a response is complete without a head")
            $0.end = end
        }
    }

    private mutating func act(_ actions: Actions) {
        self.time += .milliseconds(7)
        for (stream, exchange) in self.streams.sorted(by: { $0.key < $1.key }) {
            if actions.sends, !self.machine.hasFailed {
                let count = min(self.machine.sendableByteCount(on: stream), 10)
                if count > 0 {
                    let isSent = self.machine.encodeDataHeader(on: stream, byteCount: count, endsStream: count < 10)
                    precondition(isSent, "a stream refused data that it allowed")
                }
            }
            if actions.resets, exchange.content.count > 3, exchange.end == nil {
                self.machine.reset(stream)
                self.streams[stream]?.end = .failed(.connectionEnded, .unknown)
            }
        }
        if actions.resets, self.streams.count < 50 { self.open(.get) }
        self.machine.discardOutput()
    }

    /// Ends the connection, and checks that every stream has ended.
    private mutating func finish() {
        var effects: [HTTP2Effect] = []
        self.machine.connectionEnded(effects: &effects)
        for effect in effects { self.note(effect, [], Actions(0)) }
        precondition(self.streams.values.allSatisfy { $0.end != nil }, "a call was lost")
        precondition(self.machine.activeStreamCount == 0, "a stream is still open")
    }
}
