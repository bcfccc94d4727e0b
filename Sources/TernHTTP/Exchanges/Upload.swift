// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernConnections
import TernErrors
import TernRequests
import TernTransport

/// Sends the body of a request in its own task, while the exchange waits for the response.
///
/// A server may answer before it has read the body. So the exchange must be able to receive the response while this
/// task waits for room on the connection, or for the source of the body. The exchange owns the upload, and stops it
/// when the exchange ends.
final class Upload: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var outcome: Result<Void, ClientError>?
        var isAnswered = false
        /// Whether the response does not depend on the rest of the body.
        var isDispensable = false
    }

    private let state = Mutex(State())
    /// The last activity in each direction, for the idle timeout.
    let activity: ExchangeActivity

    private let control: any ExchangeControl

    /// Starts to send.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - codec: The codec of the exchange, which makes the sink of the body.
    ///   - call: The call.
    init<Codec: ExchangeCodec & ~Copyable>(_ request: OutgoingRequest, by codec: borrowing Codec, for call: HTTPCall) {
        let activity = ExchangeActivity(call.clock)
        self.activity = activity
        self.control = codec.control
        let sink = codec.makeSink(for: request, call, activity)
        let task = Task.detached { [self] in
            do throws(ClientError) {
                let (length, trailers) = (request.bodyLength, request.trailers)
                try await BodySender(to: sink, for: call, length: length, trailers: trailers).send(request.body)
                self.finish(.success(()), call)
            } catch {
                self.finish(.failure(error), call)
            }
        }
        self.state.withLock { $0.task = task }
    }

    /// Whether the whole body was handed to the network.
    var isComplete: Bool {
        self.state.withLock { state in
            if case .success? = state.outcome { true } else { false }
        }
    }

    /// The error if the body could not be sent; `nil` if there is none to report.
    ///
    /// Two errors are not reported. If the connection is lost, the response may say more than this error. If the upload
    /// is cancelled, the exchange already has its response or its own error. After ``markDispensable()``, no error is
    /// reported.
    var failure: ClientError? {
        self.state.withLock { state in
            guard !state.isDispensable, case .failure(let error)? = state.outcome else { return nil }
            switch error {
            case .connectionLost, .cancelled: return nil
            default: return error
            }
        }
    }

    /// Records that the response head has arrived, and removes the time limit for it.
    func answered() {
        self.state.withLock { $0.isAnswered = true }
        self.activity.isReading(false)
        self.control.limitReads(to: nil)
    }

    /// Waits for the end of the task that sends the body, if the connection has the whole body.
    ///
    /// The server may answer before that task continues after its last bytes. Until the task has continued,
    /// ``isComplete`` is `false`, and a connection that may serve the next exchange would be closed. Cancelling the
    /// waiting task ends the upload, and so does the idle timeout.
    func waitIfQueued() async {
        guard self.activity.isBodyQueued, let task = self.state.withLock({ $0.task }) else { return }
        // For the idle timeout: the server has sent its whole response, so it has no reason to accept nothing.
        self.activity.isReading(true)
        defer { self.activity.isReading(false) }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Records that the response does not depend on the rest of the body, because its status is 300 or higher.
    ///
    /// Stops sending, unless the connection has the whole body; then it may serve the next exchange.
    func markDispensable() {
        self.state.withLock { $0.isDispensable = true }
        if !self.activity.isBodyQueued { self.cancel() }
    }

    /// Stops sending, if the body is not complete.
    func cancel() { self.state.withLock { $0.task }?.cancel() }

    private func finish(_ outcome: Result<Void, ClientError>, _ call: HTTPCall) {
        self.state.withLock { state in
            state.outcome = outcome
            state.task = nil
            guard case .success = outcome, !state.isAnswered else { return }
            // Inside the lock: a response that arrives now must remove this limit after it was set, not before.
            self.control.limitReads(to: call.deadline(.firstByte, call.timeouts.firstByte))
        }
        // Without the abort, the server would wait forever for the rest of the body. The abort also wakes the
        // task that waits for the response.
        if self.failure != nil { self.control.abort() }
    }
}
