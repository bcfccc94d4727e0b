// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernErrors
import TernRequests
import TernTransport

extension Call {
    /// Who observes this call, and speaks to its delegates; `nil` if it is not observed.
    var delegation: TaskDelegation? {
        switch self.observer {
        case nil: nil
        case let delegation as TaskDelegation: delegation
        case let observer as TransactionObserver: observer.delegation
        default: nil
        }
    }

    /// Makes sure that the body can be sent once more: asks the delegates for another where it cannot.
    ///
    /// - Throws: `ClientError.uploadFailed(.notReplayable)` if there is none.
    mutating func renewBody() async throws(ClientError) {
        guard let body = self.request.body, !body.isReplayable else { return }
        guard let new = try await self.delegation?.newBody(for: self.request, self) else {
            throw .uploadFailed(.notReplayable, self.context(.send))
        }
        self.request.body = try BodyCompression.renewed(
            new,
            for: self.request,
            BodyCompression.Patience(deadline: self.deadline, clock: self.clock)
        )
    }
}

/// A body whose end is the end of its call: tells the delegates.
final class DelegatedBodySource: ResponseBodySource {
    let length: Int64?

    private let body: Mutex<ResponseBody>
    private let call: Call
    private let delegation: TaskDelegation

    init(_ body: ResponseBody, _ call: Call, _ delegation: TaskDelegation) {
        self.length = body.length
        self.body = Mutex(body)
        self.call = call
        self.delegation = delegation
    }

    deinit {
        self.body.withLock { $0 = ResponseBody(ByteBuffer()) }  // what it ends is told before the end of the call
        self.delegation.finishNow(.cancelled(self.call.context(.body)))
    }

    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        do throws(ClientError) {
            let bytes = try await self.read(atLeast: byteCount)
            if bytes == nil { await self.delegation.finish(nil) }
            return bytes
        } catch {
            // Two tasks that read at once are a mistake of theirs; the call goes on.
            if case .bodyMisused = error { throw error }
            await self.delegation.finish(error)
            throw error
        }
    }

    private func read(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        var reader = self.body.withLock { $0.taken() }.makeReader()
        return try await reader.next(atLeast: byteCount)
    }
}

extension Reply {
    /// The reply whose body tells the call's delegates of its end; itself if there are none.
    func completing(_ call: Call) -> Reply {
        guard let delegation = call.delegation else { return self }
        var reply = self
        guard reply.upgrade == nil else {
            delegation.finishNow(nil)  // what follows is not HTTP, and none of the call's
            return reply
        }
        reply.body = ResponseBody(DelegatedBodySource(self.body, call, delegation))
        return reply
    }
}

extension Call {
    /// Does what is left of the call with its reply, and tells its delegates of the end.
    ///
    /// The body is released before: what that ends is told before the end of the call.
    nonisolated(nonsending) func completing<Value>(
        _ reply: inout Reply,
        _ body: nonisolated(nonsending) (Reply) async throws(ClientError) -> Value
    ) async throws(ClientError) -> Value {
        guard let delegation = self.delegation else { return try await body(reply) }
        do throws(ClientError) {
            let value = try await body(reply)
            reply.body = ResponseBody(ByteBuffer())
            await delegation.finish(nil)
            return value
        } catch {
            reply.body = ResponseBody(ByteBuffer())
            await delegation.finish(error)
            throw error
        }
    }
}

extension ResponseBody {
    /// The body, to be read on.
    ///
    /// One that came whole is given once, and is empty from then on; one that comes in pieces is read where it stands.
    mutating func taken() -> ResponseBody {
        defer { if self.whole != nil { self = ResponseBody(ByteBuffer()) } }
        return self
    }
}
