// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import Synchronization
import Tern
import TernErrors
@_spi(CrossModuleInlining) import TernTransport

/// Continues an interrupted body, for `--retry`.
///
/// It requests the rest with `Range`, and `If-Range` with the strong entity tag of the response, so that the rest belongs to the
/// same representation (RFC 9110 §13.1.5). It does not continue a response without such a tag.
struct Resumption: Interceptor {
    let policy: RetryPolicy
    let delegate: CommandDelegate

    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        var reply = try await next.respond(to: call)
        guard call.request.method == .get, call.request.body == nil, reply.body.whole == nil,
            let start = Self.start(of: reply.response, call.request), let tag = Self.strongTag(of: reply.response)
        else { return reply }
        reply.body = ResponseBody(ResumedBody(reply, start: start, tag: tag, call, next, self))
        return reply
    }

    private static func start(of response: Response, _ request: Request) -> Int64? {
        switch response.statusCode {
        // A 200 with this field may have only a part of the representation.
        case 200 where response[.contentRange] != nil: return nil
        case 200: return response[.acceptRanges]?.lowercased() == "none" ? nil : 0
        case 206:
            // Continue only an open range, such as "bytes=100-": its rest ends where the representation ends.
            guard let range = request.fields[.range], range.hasSuffix("-"), !range.contains(","),
                let content = response[.contentRange].flatMap({ ContentRange($0) })
            else { return nil }
            return content.start
        default: return nil
        }
    }

    /// Returns the entity tag if it identifies the exact bytes (RFC 9110 §8.8.3.2).
    static func strongTag(of response: Response) -> String? {
        response[.eTag].flatMap { $0.hasPrefix("\"") && $0.hasSuffix("\"") && $0.utf8.count > 1 ? $0 : nil }
    }
}

/// The field `Content-Range` of a part: `bytes 100-199/200` (RFC 9110 §14.4).
struct ContentRange: Equatable, Sendable {
    let start: Int64
    let last: Int64
    let total: Int64?

    init?(_ value: String) {
        guard value.hasPrefix("bytes ") else { return nil }
        let parts = value.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let start = Int64(ends[0]), let last = Int64(ends[1]), start >= 0, start <= last,
            parts[1] == "*" || Int64(parts[1]) ?? 0 > last
        else { return nil }
        self.start = start
        self.last = last
        self.total = Int64(parts[1])
    }

    var isWhole: Bool { self.start == 0 && self.total == self.last + 1 }

    /// Returns the length in `bytes */200`, which a server sends when the requested range begins after the last byte.
    static func total(ofUnsatisfied value: String) -> Int64? {
        value.hasPrefix("bytes */") ? Int64(value.dropFirst(8)) : nil
    }
}

/// A response body that requests the rest of its content when the connection is interrupted.
private final class ResumedBody: ResponseBodySource {
    private struct Progress {
        var reader: ResponseBody.Reader
        var byteCount: Int64 = 0
    }

    let length: Int64?

    private let start: Int64
    private let tag: String
    private let call: HTTPCall
    private let next: NextStages
    private let resumption: Resumption
    private let turn: ReadTurn<Progress>
    private let current: Mutex<ResponseBody>

    init(_ reply: HTTPReply, start: Int64, tag: String, _ call: HTTPCall, _ next: NextStages, _ resumption: Resumption)
    {
        self.length = reply.body.length
        self.start = start
        self.tag = tag
        self.call = call
        self.next = next
        self.resumption = resumption
        self.turn = ReadTurn(Progress(reader: reply.body.makeReader()))
        self.current = Mutex(reply.body)
    }

    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        guard var progress = try self.turn.take(self.call) else { return nil }
        do throws(ClientError) {
            guard let bytes = try await self.read(&progress, atLeast: byteCount) else {
                self.turn.end()
                return nil
            }
            progress.byteCount += Int64(bytes.readableBytes)
            self.turn.giveBack(progress)
            return bytes
        } catch {
            self.turn.end()
            throw error
        }
    }

    func discard() {
        _ = self.turn.discard()
        self.current.withLock { $0 }.discard()
    }

    private func read(_ progress: inout Progress, atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        while true {
            do throws(ClientError) {
                return try await progress.reader.next(atLeast: byteCount)
            } catch {
                guard error.isRetryable else { throw error }
                let rest = try await self.rest(after: error, at: self.start + progress.byteCount)
                self.current.withLock { $0 = rest }
                progress.reader = rest.makeReader()
            }
        }
    }

    /// Requests the rest, after a delay, as long as retries and the time limit allow it; otherwise throws the first error.
    private func rest(after cut: ClientError, at offset: Int64) async throws(ClientError) -> ResponseBody {
        while let delay = self.resumption.delegate.nextRetry(self.resumption.policy) {
            if let deadline = self.call.deadline, self.call.clock.now.advanced(by: delay) >= deadline.instant { break }
            self.resumption.delegate.willResume(at: offset, after: delay, because: cut)
            guard (try? await Task.sleep(for: delay)) != nil else { throw .cancelled(cut.context) }
            var call = self.call
            call.request.fields[.range] = "bytes=\(offset)-"
            call.request.fields[.ifRange] = self.tag
            call.attempt += 1
            do throws(ClientError) {
                let reply = try await self.next.respond(to: call)
                guard reply.response.statusCode == 206,
                    reply.response[.contentRange].flatMap({ ContentRange($0) })?.start == offset,
                    reply.response[.eTag] == nil || reply.response[.eTag] == self.tag
                else { throw cut }
                return reply.body
            } catch {
                guard error.isRetryable, error.context.response == nil || error.context.isUndelivered else { throw cut }
            }
        }
        throw cut
    }
}
