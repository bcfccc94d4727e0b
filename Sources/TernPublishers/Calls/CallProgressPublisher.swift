// SPDX-License-Identifier: Apache-2.0

/// An event of a call with progress; the enumeration gets no further cases.
public enum CallEvent<Value: Sendable>: Sendable {
    /// Progress of sending the request body: the bytes that the client has begun to send.
    case sent(TransferProgress)
    /// Progress of reading the response body.
    case received(TransferProgress)
    /// The result of the call, once, as the last event.
    case value(Value)
}

extension CallEvent: Equatable where Value: Equatable {}

/// Publishes the progress of one call of a client, and its result; see ``CallPublisher/withProgress()``.
public struct CallProgressPublisher<Value: Sendable>: Publisher, Sendable {
    public typealias Output = CallEvent<Value>
    public typealias Failure = ClientError

    let call: CallPublisher<Value>

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == ClientError {
        let discard = self.call.discard
        let driver = CallDriver(AnySubscriber(subscriber)) { event in
            if case .value(let value) = event { discard(value) }
        } work: { [call] report throws(ClientError) in
            let delegate = ProgressDelegate(besides: call.delegate) { progress, direction in
                report(direction == .sent ? .sent(progress) : .received(progress), direction)
            }
            return .value(try await call.work(delegate))
        }
        DrivenSubscription(driver).attach(to: subscriber)
    }
}

enum TransferDirection: Hashable, Sendable {
    case sent
    case received
}

final class ProgressDelegate: TaskDelegate {
    private let delegate: (any TaskDelegate)?
    private let report: @Sendable (TransferProgress, TransferDirection) -> Void

    init(
        besides delegate: (any TaskDelegate)?,
        report: @escaping @Sendable (TransferProgress, TransferDirection) -> Void
    ) {
        self.delegate = delegate
        self.report = report
    }

    func task(_ task: TaskInfo, didSendBodyData progress: TransferProgress) async {
        await self.delegate?.task(task, didSendBodyData: progress)
        self.report(progress, .sent)
    }

    func task(_ task: TaskInfo, didReceiveBodyData progress: TransferProgress) async {
        await self.delegate?.task(task, didReceiveBodyData: progress)
        self.report(progress, .received)
    }

    // MARK: Forwarded questions and events

    func task(
        _ task: TaskInfo,
        didReceive challenge: AuthenticationChallenge
    ) async -> ChallengeDisposition? { await self.delegate?.task(task, didReceive: challenge) }

    func task(
        _ task: TaskInfo,
        willRedirectTo request: Request,
        for response: Response
    ) async -> RedirectDisposition? { await self.delegate?.task(task, willRedirectTo: request, for: response) }

    func task(_ task: TaskInfo, needsNewBodyFor request: Request) async -> RequestBody? {
        await self.delegate?.task(task, needsNewBodyFor: request)
    }

    func taskIsWaitingForConnection(_ task: TaskInfo) async { await self.delegate?.taskIsWaitingForConnection(task) }

    func task(_ task: TaskInfo, willRetryAfter delay: Duration, because cause: RetryCause) async {
        await self.delegate?.task(task, willRetryAfter: delay, because: cause)
    }

    func task(_ task: TaskInfo, didReceiveInformationalResponse response: HTTPResponse) async {
        await self.delegate?.task(task, didReceiveInformationalResponse: response)
    }

    func task(_ task: TaskInfo, didOpenWebSocket subprotocol: String?) async {
        await self.delegate?.task(task, didOpenWebSocket: subprotocol)
    }

    func task(_ task: TaskInfo, didCloseWebSocket code: UInt16?, reason: String?) async {
        await self.delegate?.task(task, didCloseWebSocket: code, reason: reason)
    }

    func task(_ task: TaskInfo, didCollect metrics: TaskMetrics) async {
        await self.delegate?.task(task, didCollect: metrics)
    }

    func task(_ task: TaskInfo, didCompleteWith error: ClientError?) async {
        await self.delegate?.task(task, didCompleteWith: error)
    }
}
