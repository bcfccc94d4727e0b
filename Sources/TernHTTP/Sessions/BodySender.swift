// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernConnections
import TernErrors
import TernFoundation
import TernRequests
import TernTransport

/// Sends one body to a sink, piece by piece, as fast as the sink accepts the pieces.
struct BodySender<Sink: BodySink> {
    private var sink: Sink
    private let call: HTTPCall
    private let length: Int64?
    private let trailers: RequestBody.TrailerComputation?
    private var sentByteCount: Int64 = 0

    init(to sink: Sink, for call: HTTPCall, length: Int64?, trailers: RequestBody.AddedTrailers? = nil) {
        self.sink = sink
        self.call = call
        self.length = length
        self.trailers = trailers?.makeComputation()
    }

    consuming func send(_ body: OutgoingRequest.Body) async throws(ClientError) {
        switch body {
        case .none: break
        case .data(let data): try await self.send(data)
        case .file(let file): try await self.send(file)
        case .stream(let stream): try await self.send(stream)
        }
        self.call.observer?.didReach(.bodySent(byteCount: self.sink.writtenByteCount))
    }

    private mutating func send(_ data: Data) async throws(ClientError) {
        var rest = data[...]
        while !rest.isEmpty {
            let piece = rest.prefix(BodyPieces.byteCount)
            try await self.send(piece: piece)
            rest = rest.dropFirst(piece.count)
        }
        try await self.end()
    }

    private mutating func send(_ file: ReadableFile) async throws(ClientError) {
        var offset = file.content.lowerBound
        var segmentByteCount = min(FileSegments.firstByteCount, self.sink.maximumFileSegmentByteCount)
        while offset < file.content.upperBound {
            let start = self.call.clock.now
            let end = min(file.content.upperBound, offset + segmentByteCount)
            guard end < file.content.upperBound || file.isUnchanged else {
                throw .uploadFailed(.fileChanged, self.call.context(.send))
            }
            self.report(Int(end - offset))
            do throws(ConnectionError) {
                try await self.sink.send(file, range: offset..<end)
            } catch {
                throw self.call.error(error, .send)
            }
            offset = end
            // Large segments suit a fast connection. On a slow connection, segments become smaller, so that progress is
            // reported often.
            let isFast = start.duration(to: self.call.clock.now) < FileSegments.fastDuration
            segmentByteCount = isFast ? segmentByteCount * 2 : max(segmentByteCount / 2, FileSegments.minimumByteCount)
            segmentByteCount = min(segmentByteCount, self.sink.maximumFileSegmentByteCount)
        }
        try await self.end()
    }

    private mutating func send(_ stream: RequestBody.Stream) async throws(ClientError) {
        let reader = stream.makeReader()
        guard let length = self.length else {
            while let piece = try await reader.next(for: self.call) { try await self.send(piece: piece) }
            return try await self.end(with: reader.trailers)
        }
        // The sender holds back the piece that completes the announced length until the stream has ended. If the stream
        // is longer than announced, the call fails. The server must not get a complete request in this case, because it
        // would act on the request.
        var last: Data?
        while let piece = try await reader.next(for: self.call) {
            guard last == nil, self.sentByteCount + Int64(piece.count) <= length else {
                throw self.call.lengthMismatch(length)
            }
            if self.sentByteCount + Int64(piece.count) == length {
                last = piece
            } else {
                try await self.send(piece: piece)
            }
        }
        if let last { try await self.send(piece: last) }
        guard self.sentByteCount == length else { throw self.call.lengthMismatch(length) }
        try await self.end(with: reader.trailers)
    }

    private mutating func send(piece: Data) async throws(ClientError) {
        if let trailers {
            do { try trailers.update(piece) } catch { throw self.call.failure(ofBody: error) }
        }
        self.report(piece.count)
        do throws(ConnectionError) {
            try await self.sink.send(piece)
        } catch {
            throw self.call.error(error, .send)
        }
    }

    private mutating func end(with trailers: HTTPFields? = nil) async throws(ClientError) {
        let trailers = try await self.trailers(behind: trailers)
        do throws(ConnectionError) {
            try await self.sink.end(with: trailers)
        } catch {
            throw self.call.error(error, .send)
        }
    }

    private func trailers(behind own: HTTPFields?) async throws(ClientError) -> HTTPFields? {
        guard let computation = self.trailers else { return own }
        do {
            var fields = own ?? [:]
            for field in try await computation.finish() { fields.append(field) }
            if Task.isCancelled { throw CancellationError() }
            return fields
        } catch {
            throw self.call.failure(ofBody: error)
        }
    }

    /// Reports a piece before the sink gets it, because a later report might come after the response.
    private mutating func report(_ byteCount: Int) {
        self.sentByteCount += Int64(byteCount)
        self.call.observer?.didSend(self.sentByteCount, of: self.length)
    }
}

private enum BodyPieces {
    /// The length of a piece, in bytes; each piece has its own progress report.
    static let byteCount = 256 << 10
}

/// The sizes of the segments of a file, in bytes, which grow or shrink with the speed of the connection.
private enum FileSegments {
    static let firstByteCount: Int64 = 1 << 20
    /// The minimum length: shorter segments would cost more than their reports are worth.
    static let minimumByteCount: Int64 = 64 << 10
    /// The time limit for growing: if sending a segment took less time, the next segment is larger.
    static let fastDuration: Duration = .milliseconds(100)
}

extension RequestBody.Stream {
    /// Reads a stream whose announced length is 0, and throws an error if the stream is not empty.
    func checkEmpty(for call: HTTPCall) async throws(ClientError) {
        if try await self.makeReader().next(for: call) != nil { throw call.lengthMismatch(0) }
    }
}

extension RequestBody.Reader {
    fileprivate func next(for call: HTTPCall) async throws(ClientError) -> Data? {
        do {
            while true {
                let piece = try await self.next()
                if Task.isCancelled { throw CancellationError() }
                guard piece?.isEmpty ?? false else { return piece }
            }
        } catch {
            throw call.failure(ofBody: error)
        }
    }
}

extension HTTPCall {
    /// Returns the error for `error` of the source of the body, or of a closure that computes its trailers.
    fileprivate func failure(ofBody error: any Error) -> ClientError {
        switch error {
        case is CancellationError where Task.isCancelled: .cancelled(self.context(.send))
        case let error as FileReadError: .uploadFailed(error.reason, self.context(.send))
        default: .uploadFailed(.streamFailed(type: "\(type(of: error))"), self.context(.send))
        }
    }

    fileprivate func lengthMismatch(_ length: Int64) -> ClientError {
        .uploadFailed(.lengthMismatch(announced: length), self.context(.send))
    }
}
