// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernRequests
import TernTransport

/// Reads the stream of a request body in its own task, and passes the pieces to `URLSession` through a pipe.
final class RunningUpload: Sendable {
    let pipe: BodyPipe

    private let task: Task<Void, Never>

    /// Starts to read; the exchange is retained until the upload ends.
    init(_ stream: RequestBody.Stream, of call: HTTPCall, for exchange: SessionExchange) {
        let pipe = BodyPipe()
        self.pipe = pipe
        self.task = Task.detached {
            do throws(ClientError) {
                try await Self.send(BodyPieces(stream, of: call), through: pipe, for: exchange)
            } catch {
                pipe.fail()
                exchange.fail(.call(error))
            }
        }
    }

    /// Stops reading, and ends the body so that the server does not get a complete request.
    func stop() {
        self.task.cancel()
        self.pipe.fail()
    }

    private static func send(
        _ pieces: BodyPieces,
        through pipe: BodyPipe,
        for exchange: SessionExchange
    ) async throws(ClientError) {
        while let piece = try await pieces.next() {
            exchange.sourceIsSlow(false)
            guard await pipe.write(piece) else { return }
            // The next piece is read when `URLSession` has taken this one.
            await pipe.drain()
            exchange.sourceIsSlow(true)
        }
        exchange.sourceEnded(pieces.byteCount)
        pipe.end()
    }
}
