// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import Tern
import TernFoundation

/// A delegate that records the events and questions that it receives.
public final class RecordingDelegate: TaskDelegate {
    /// An event or question that the delegate received.
    @nonexhaustive
    public enum Event: Hashable, Sendable {
        /// The client has begun to send more of the request body.
        case sent(TransferProgress)
        /// The client has read more of the response body.
        case received(TransferProgress)
        /// An interim response arrived.
        case informational(HTTPResponse)
        /// The call waits for a connection.
        case waiting
        /// A WebSocket is open, with this subprotocol, if any.
        case openedWebSocket(String?)
        /// A WebSocket is closed, with the close code of the peer, if any.
        case closedWebSocket(UInt16?)
        /// A challenge with this scheme arrived.
        case challenged(AuthenticationScheme)
        /// The client asked about a redirect to this URL.
        case redirected(String)
        /// The client planned to retry the call after this time.
        case retried(after: Duration)
        /// The client asked for the request body again.
        case neededBody
        /// The metrics arrived.
        case collectedMetrics
        /// The call is over, and has failed or succeeded.
        case completed(hasFailed: Bool)
    }

    /// Answers a challenge; `nil` leaves the challenge to the next delegate, or to the client.
    public typealias Answer = @Sendable (AuthenticationChallenge) async -> ChallengeDisposition?

    private struct State: Sendable {
        var events: [Event] = []
        var taskIDs: Set<UInt64> = []
    }

    private let state = Observed(State())

    private let answer: Answer

    /// Creates a delegate, which answers challenges only if it gets a closure for them.
    public init(answer: @escaping Answer = { _ in nil }) { self.answer = answer }

    /// The recorded events, oldest first.
    public var events: [Event] { self.state.value.events }

    /// The identifiers of the calls that have caused the recorded events.
    public var taskIDs: Set<UInt64> { self.state.value.taskIDs }

    /// Waits until the delegate has recorded at least `count` events since it was created.
    public func waitForEvents(_ count: Int) async throws(TestStallError) {
        try await self.state.wait(for: count.counted("event")) { state in
            state.events.listed({ "\($0)" }, none: "none")
        } until: { state in
            state.events.count >= count
        }
    }

    public func task(_ task: TaskInfo, didSendBodyData progress: TransferProgress) { self.log(.sent(progress), task) }

    public func task(_ task: TaskInfo, didReceiveBodyData progress: TransferProgress) {
        self.log(.received(progress), task)
    }

    public func task(_ task: TaskInfo, willRetryAfter delay: Duration, because cause: RetryCause) {
        self.log(.retried(after: delay), task)
    }

    public func task(_ task: TaskInfo, didReceiveInformationalResponse response: HTTPResponse) {
        self.log(.informational(response), task)
    }

    public func taskIsWaitingForConnection(_ task: TaskInfo) { self.log(.waiting, task) }

    public func task(_ task: TaskInfo, didOpenWebSocket subprotocol: String?) {
        self.log(.openedWebSocket(subprotocol), task)
    }

    public func task(_ task: TaskInfo, didCloseWebSocket code: UInt16?, reason: String?) {
        self.log(.closedWebSocket(code), task)
    }

    public func task(
        _ task: TaskInfo,
        didReceive challenge: AuthenticationChallenge
    ) async -> ChallengeDisposition? {
        self.log(.challenged(challenge.protectionSpace.scheme), task)
        return await self.answer(challenge)
    }

    public func task(
        _ task: TaskInfo,
        willRedirectTo request: Request,
        for response: Response
    ) async -> RedirectDisposition? {
        self.log(.redirected(request.url.absoluteString), task)
        return nil
    }

    public func task(_ task: TaskInfo, needsNewBodyFor request: Request) async -> RequestBody? {
        self.log(.neededBody, task)
        return nil
    }

    public func task(_ task: TaskInfo, didCollect metrics: TaskMetrics) { self.log(.collectedMetrics, task) }

    public func task(_ task: TaskInfo, didCompleteWith error: ClientError?) {
        self.log(.completed(hasFailed: error != nil), task)
    }

    private func log(_ event: Event, _ task: TaskInfo) {
        self.state.update { state in
            state.events.append(event)
            state.taskIDs.insert(task.id)
        }
    }
}
