// SPDX-License-Identifier: Apache-2.0

/// Which body a report is about.
enum TransferDirection: Hashable, Sendable {
    /// The request's.
    case sent
    /// The response's.
    case received
}

/// Hears of the progress of a call, and leaves everything to the delegate that was given, if one was.
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

    func task(_ task: TaskInfo, didSend progress: TransferProgress) {
        self.delegate?.task(task, didSend: progress)
        self.report(progress, .sent)
    }

    func task(_ task: TaskInfo, didReceive progress: TransferProgress) {
        self.delegate?.task(task, didReceive: progress)
        self.report(progress, .received)
    }

    // MARK: What is none of its business

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

    func taskIsWaitingForConnection(_ task: TaskInfo) { self.delegate?.taskIsWaitingForConnection(task) }

    func task(_ task: TaskInfo, willRetryAfter delay: Duration, because cause: RetryCause) {
        self.delegate?.task(task, willRetryAfter: delay, because: cause)
    }

    func task(_ task: TaskInfo, didReceiveInformational response: HTTPResponse) {
        self.delegate?.task(task, didReceiveInformational: response)
    }

    func task(_ task: TaskInfo, didOpenWebSocket subprotocol: String?) {
        self.delegate?.task(task, didOpenWebSocket: subprotocol)
    }

    func task(_ task: TaskInfo, didCloseWebSocket code: UInt16?, reason: String?) {
        self.delegate?.task(task, didCloseWebSocket: code, reason: reason)
    }

    func task(_ task: TaskInfo, didCollect metrics: TaskMetrics) { self.delegate?.task(task, didCollect: metrics) }

    func task(_ task: TaskInfo, didCompleteWith error: ClientError?) {
        self.delegate?.task(task, didCompleteWith: error)
    }
}
