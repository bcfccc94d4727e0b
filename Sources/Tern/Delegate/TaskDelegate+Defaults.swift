// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernErrors
public import TernRequests
public import TernTransport

extension TaskDelegate {
    /// Answers `nil`: not mine.
    public func task(
        _ task: TaskInfo,
        didReceive challenge: AuthenticationChallenge
    ) async -> ChallengeDisposition? { nil }

    /// Answers `nil`: not mine.
    public func task(
        _ task: TaskInfo,
        willRedirectTo request: Request,
        for response: Response
    ) async -> RedirectDisposition? { nil }

    /// Answers `nil`: there is none.
    public func task(_ task: TaskInfo, needsNewBodyFor request: Request) async -> RequestBody? { nil }

    /// Does nothing.
    public func taskIsWaitingForConnection(_ task: TaskInfo) {}
    /// Does nothing.
    public func task(_ task: TaskInfo, didSend progress: TransferProgress) {}
    /// Does nothing.
    public func task(_ task: TaskInfo, willRetryAfter delay: Duration, because cause: RetryCause) {}
    /// Does nothing.
    public func task(_ task: TaskInfo, didReceiveInformational response: HTTPResponse) {}
    /// Does nothing.
    public func task(_ task: TaskInfo, didReceive progress: TransferProgress) {}
    /// Does nothing.
    public func task(_ task: TaskInfo, didOpenWebSocket subprotocol: String?) {}
    /// Does nothing.
    public func task(_ task: TaskInfo, didCloseWebSocket code: UInt16?, reason: String?) {}
    /// Does nothing.
    public func task(_ task: TaskInfo, didCollect metrics: TaskMetrics) {}
    /// Does nothing.
    public func task(_ task: TaskInfo, didCompleteWith error: ClientError?) {}
}
