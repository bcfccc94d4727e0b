// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernErrors
public import TernRequests
public import TernTransport

/// Steers one call or, as the client's delegate, all calls; every method has a default that changes nothing.
///
/// Pass a delegate to a call, and it answers for that call alone. It can be a class of the main actor, an actor or a
/// value, and a method that needs not wait can leave out `async`:
///
/// ```swift
/// @MainActor final class SignIn: TaskDelegate {
///     var attempts = 0
///
///     func task(_ task: TaskInfo, didReceive challenge: AuthenticationChallenge) async -> ChallengeDisposition? {
///         guard challenge.protectionSpace.scheme == .basic else { return nil }  // not mine
///         self.attempts += 1
///         let (user, password) = await controller.prompt()
///         return .useCredential(Credential(user: user, password: password))
///     }
/// }
/// let (data, response) = try await client.data(for: request, delegate: SignIn())
/// ```
///
/// **Order of delegates.** The client asks the call's delegate first. If that returns `nil`, which means "not mine", the
/// client asks its own delegate, and then applies the default. It tells both about every event, the call's delegate first.
///
/// **Credentials.** A credential of persistence `forSession`, the default, or `stored` serves all further calls of the
/// client to the same protection space, as in `URLSession`; one of persistence `none` answers this challenge alone. Trust in
/// a server and a client certificate hold for this call alone if the call's own delegate gave them.
///
/// **Order of methods.** The client calls one method at a time, in the order of events, and on the actor of the delegate;
/// a delegate without an actor is called off the main thread and off the event loops. The last method is
/// ``task(_:didCompleteWith:)``. The first are ``taskIsWaitingForConnection(_:)`` and the questions of a new connection (trust,
/// client certificate, proxy). Then come the progress of the request, interim responses, challenges and redirects, then the
/// progress of the response, ``task(_:didCollect:)`` and the completion. A challenge or a redirect starts the order again.
/// While a method runs, progress is gathered: the next method gets the latest count.
///
/// **Time.** The client retains a delegate until its call completes, fails or is cancelled. A call waits for an answer as
/// long as its `Timeouts.call` allows (during a TLS handshake, `Timeouts.connect`), and returns once its delegate was told
/// of the completion. When the call is cancelled or out of time, the client cancels the task of a method that still runs,
/// and does not wait for it; then the delegate may learn of the completion after the call has thrown.
///
/// **Spelling.** A method that is misspelled is not called. The compiler refuses the usual slips, such as a result that is not
/// optional; it warns about many others if the conformance stands in an extension together with its methods.
public protocol TaskDelegate: _TaskDelegateSpelling {
    // MARK: Questions

    /// A server or a proxy wants to know who is asking, or shows who it is.
    ///
    /// - Parameters:
    ///   - task: the call.
    ///   - challenge: what is wanted: `challenge.kind` tells apart HTTP authentication, trust and client certificates.
    /// - Returns: what to do; `nil`, the default, if it is not for this delegate to say.
    func task(_ task: TaskInfo, didReceive challenge: AuthenticationChallenge) async -> ChallengeDisposition?

    /// A response leads elsewhere (RFC 9110 §15.4).
    ///
    /// - Parameters:
    ///   - task: the call.
    ///   - request: the request that would be sent, without what must not go to another origin; it may be changed.
    ///   - response: the redirect.
    /// - Returns: what to do; `nil`, the default, if it is not for this delegate to say, so that the policy of the
    ///   request holds.
    func task(_ task: TaskInfo, willRedirectTo request: Request, for response: Response) async -> RedirectDisposition?

    /// The request must be sent again, and its body, a stream, can be read only once.
    ///
    /// - Parameters:
    ///   - task: the call.
    ///   - request: the request that is sent again.
    /// - Returns: The same content again, as it was before the client compressed it; `nil`, the default, if there is none,
    ///   which ends the call with `ClientError.uploadFailed`.
    func task(_ task: TaskInfo, needsNewBodyFor request: Request) async -> RequestBody?

    // MARK: Events

    /// The call waits for a connection, because the host has as many as the pool allows.
    func taskIsWaitingForConnection(_ task: TaskInfo) async
    /// The client handed more of the request body to the network.
    func task(_ task: TaskInfo, didSendBodyData progress: TransferProgress) async
    /// The client will send the request again after a delay, as the request's `RetryPolicy` wants.
    ///
    /// - Parameters:
    ///   - task: The call; ``TaskInfo/attempt`` is the attempt that ended.
    ///   - delay: The time until the next attempt.
    ///   - cause: How the last attempt ended.
    func task(_ task: TaskInfo, willRetryAfter delay: Duration, because cause: RetryCause) async
    /// The server sent an interim response (RFC 9110 §15.2), such as 103 Early Hints.
    func task(_ task: TaskInfo, didReceiveInformationalResponse response: HTTPResponse) async
    /// The client read more of the response body.
    func task(_ task: TaskInfo, didReceiveBodyData progress: TransferProgress) async
    /// A WebSocket is open; `subprotocol` is the one that both sides agreed on, if any.
    func task(_ task: TaskInfo, didOpenWebSocket subprotocol: String?) async
    /// A WebSocket is closed; `code` and `reason` are the peer's, if it sent a Close frame (RFC 6455 §7.1.5).
    func task(_ task: TaskInfo, didCloseWebSocket code: UInt16?, reason: String?) async
    /// The call is about to complete; `metrics` tells how it spent its time.
    func task(_ task: TaskInfo, didCollect metrics: TaskMetrics) async
    /// The call is over; `error` is `nil` if it succeeded. The client calls no method after this one.
    func task(_ task: TaskInfo, didCompleteWith error: ClientError?) async
}

/// What a delegate does about a redirect.
@nonexhaustive
public enum RedirectDisposition: Sendable {
    /// Send this request, as it was proposed or changed; what it holds is sent, whichever origin it goes to.
    case follow(Request)
    /// Do not follow: the redirect itself is the response.
    case stop
    /// End the call with `ClientError.cancelled`.
    case cancel
}

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
    public func taskIsWaitingForConnection(_ task: TaskInfo) async {}
    /// Does nothing.
    public func task(_ task: TaskInfo, didSendBodyData progress: TransferProgress) async {}
    /// Does nothing.
    public func task(_ task: TaskInfo, willRetryAfter delay: Duration, because cause: RetryCause) async {}
    /// Does nothing.
    public func task(_ task: TaskInfo, didReceiveInformationalResponse response: HTTPResponse) async {}
    /// Does nothing.
    public func task(_ task: TaskInfo, didReceiveBodyData progress: TransferProgress) async {}
    /// Does nothing.
    public func task(_ task: TaskInfo, didOpenWebSocket subprotocol: String?) async {}
    /// Does nothing.
    public func task(_ task: TaskInfo, didCloseWebSocket code: UInt16?, reason: String?) async {}
    /// Does nothing.
    public func task(_ task: TaskInfo, didCollect metrics: TaskMetrics) async {}
    /// Does nothing.
    public func task(_ task: TaskInfo, didCompleteWith error: ClientError?) async {}
}
