// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Synchronization
import Tern
import TernConnections
import TernFoundation
import TernRequests
import TernTransport

/// Limits the rate of each direction of a call for `--limit-rate`; as in curl, heads do not count, and all exchanges share the
/// limit.
final class RateLimit: Interceptor {
    let maximumPieceByteCount: Int

    private let received: Mutex<RateLimitStateMachine>
    private let sent: Mutex<RateLimitStateMachine>

    init(bytesPerSecond: Int) {
        let machine = RateLimitStateMachine(bytesPerSecond: bytesPerSecond)
        self.maximumPieceByteCount = machine.maximumPieceByteCount
        self.received = Mutex(machine)
        self.sent = Mutex(machine)
    }

    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        var call = call
        if let body = call.request.body { call.request.body = try self.limited(body, of: call) }
        var reply = try await next.respond(to: call)
        reply.body = ResponseBody(RateLimitedBody(reply.body, of: call, self))
        return reply
    }

    func receive(_ byteCount: Int, at now: ClockInstant) -> ClockInstant {
        self.received.withLock { $0.admit(byteCount, at: now) }
    }

    func send(_ byteCount: Int, at now: ClockInstant) -> ClockInstant {
        self.sent.withLock { $0.admit(byteCount, at: now) }
    }

    /// Returns `false` if the task was cancelled.
    static func wait(until instant: ClockInstant, on clock: any TransportClock) async -> Bool {
        guard clock.now < instant else { return !Task.isCancelled }
        return await Suspension<Bool>().wait(until: instant, on: clock, onTimeout: true, onCancel: false)
    }

    private func limited(_ body: RequestBody, of call: HTTPCall) throws(ClientError) -> RequestBody {
        let stream: RequestBody.Stream
        switch body.content {
        case .data(let data):
            stream = RequestBody.Stream(length: Int64(data.count), isReplayable: true) { OnePiece(data: data) }
        case .file(let url):
            do throws(FileReadError) {
                let pieces = try FilePieces(path: url.path, part: body.filePart)
                stream = RequestBody.Stream(length: pieces.byteCount, isReplayable: true) { pieces }
            } catch {
                throw .uploadFailed(error.reason, call.context(.prepare))
            }
        case .stream(let other): stream = other
        case .multipart(let multipart): stream = try RequestBody.Stream(multipart, context: call.context(.prepare))
        }
        let clock = call.clock
        let pieces = RequestBody.Stream(length: stream.length, isReplayable: stream.isReplayable) {
            RateLimitedPieces(base: stream, limit: self, clock: clock)
        }
        var limited = RequestBody(.stream(pieces), contentType: body.contentType)
        limited.addedTrailers = body.addedTrailers
        return limited
    }
}

struct RateArgument: ExpressibleByArgument, Equatable, Sendable {
    let bytesPerSecond: Int?

    /// Parses a number, with K, M, G, T or P for powers of 1024; as in curl, 0 sets no limit.
    init?(argument: String) {
        if argument == "0" {
            self.bytesPerSecond = nil
            return
        }
        let factors: [Character: Int] = ["T": 1 << 10, "P": 1 << 20]
        let factor = argument.uppercased().last.flatMap { factors[$0] }
        let text = factor == nil ? argument : "\(argument.dropLast())G"
        guard let byteCount = ByteCountArgument(argument: text)?.byteCount else { return nil }
        let (rate, isTooHigh) = byteCount.multipliedReportingOverflow(by: factor ?? 1)
        guard !isTooHigh else { return nil }
        self.bytesPerSecond = rate
    }
}

private struct OnePiece: AsyncSequence, Sendable {
    let data: Data

    func makeAsyncIterator() -> Iterator { Iterator(data: self.data) }

    struct Iterator: AsyncIteratorProtocol {
        var data: Data?

        mutating func next() async -> Data? { self.data.take() }
    }
}
