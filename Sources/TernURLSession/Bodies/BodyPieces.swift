// SPDX-License-Identifier: Apache-2.0
import TernConnections
import TernErrors
import TernRequests
import TernTransport
import TernURLLoading

/// Reads the pieces of a stream, and checks its length; belongs to the task that created it.
///
/// Holds back the piece that completes the announced length until the stream has ended. If the stream is longer, the server must
/// not get a complete request, because it would act on the request.
final class BodyPieces {
    private let reader: RequestBody.Reader
    private let length: Int64?
    private let call: HTTPCall
    private var last: Data?
    private var isOver = false
    private(set) var byteCount: Int64 = 0

    init(_ stream: RequestBody.Stream, of call: HTTPCall) {
        self.reader = stream.makeReader()
        self.length = stream.length
        self.call = call
    }

    /// Returns the next piece, never empty; `nil` at the end.
    func next() async throws(ClientError) -> Data? {
        while !self.isOver {
            guard let piece = try await self.read() else {
                self.isOver = true
                guard self.byteCount == self.length ?? self.byteCount else { throw self.lengthMismatch }
                guard self.reader.trailers?.isEmpty ?? true else {
                    let error = URLSessionTransportError.unsupported(.requestTrailers)
                    throw .interceptorFailed(error, self.call.context(.send))
                }
                return self.last
            }
            guard !piece.isEmpty else { continue }
            self.byteCount += Int64(piece.count)
            guard let length = self.length else { return piece }
            guard self.last == nil, self.byteCount <= length else { throw self.lengthMismatch }
            guard self.byteCount == length else { return piece }
            self.last = piece
        }
        return nil
    }

    private func read() async throws(ClientError) -> Data? {
        do {
            let piece = try await self.reader.next()
            if Task.isCancelled { throw CancellationError() }
            return piece
        } catch {
            switch error {
            case is CancellationError where Task.isCancelled: throw .cancelled(self.call.context(.send))
            case let error as FileReadError: throw .uploadFailed(error.reason, self.call.context(.send))
            default:
                throw .uploadFailed(.streamFailed(type: "\(type(of: error))"), self.call.context(.send))
            }
        }
    }

    private var lengthMismatch: ClientError {
        .uploadFailed(.lengthMismatch(announced: self.length ?? 0), self.call.context(.send))
    }
}
