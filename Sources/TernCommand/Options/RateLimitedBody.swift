// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Tern
import TernConnections
@_spi(CrossModuleInlining) import TernTransport

final class RateLimitedBody: ResponseBodySource {
    private struct Progress {
        var reader: ResponseBody.Reader
        var rest = ByteBuffer()
    }

    let length: Int64?

    private let body: ResponseBody
    private let call: HTTPCall
    private let limit: RateLimit
    private let turn: ReadTurn<Progress>

    init(_ body: ResponseBody, of call: HTTPCall, _ limit: RateLimit) {
        self.length = body.length
        self.body = body
        self.call = call
        self.limit = limit
        self.turn = ReadTurn(Progress(reader: body.makeReader()))
    }

    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        guard var progress = try self.turn.take(self.call) else { return nil }
        do throws(ClientError) {
            guard let piece = try await self.piece(&progress) else {
                self.turn.end()
                return nil
            }
            self.turn.giveBack(progress)
            return piece
        } catch {
            self.turn.end()
            throw error
        }
    }

    func discard() {
        _ = self.turn.discard()
        self.body.discard()
    }

    private func piece(_ progress: inout Progress) async throws(ClientError) -> ByteBuffer? {
        if progress.rest.readableBytes == 0 {
            guard let bytes = try await progress.reader.next() else { return nil }
            progress.rest = bytes
        }
        let count = min(progress.rest.readableBytes, self.limit.maximumPieceByteCount)
        let instant = self.limit.receive(count, at: self.call.clock.now)
        // The deadline of the call may pass during the wait.
        let deadline = self.call.deadline.flatMap { $0.instant < instant ? $0 : nil }
        guard await RateLimit.wait(until: deadline?.instant ?? instant, on: self.call.clock) else {
            throw .cancelled(self.call.context(.body))
        }
        if let deadline { throw deadline.error(self.call.context(.body)) }
        return progress.rest.readSlice(length: count)
    }
}
