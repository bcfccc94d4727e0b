// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernErrors
public import TernRequests
public import TernTransport

/// Handles the challenges and events of one call or, as the client's delegate, of all calls.
///
/// Every method has a default that changes nothing.
///
/// Pass a delegate to a call, and it handles that call alone. It can be a class of the main actor, an actor or a value.
/// A method that does not wait can leave out `async`:
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
/// **Order of delegates.** The client asks the call's delegate first. If that returns `nil`, which means "not mine",
/// the client asks its own delegate, and then applies the default. It reports every event to both, to the call's
/// delegate first.
///
/// **Credentials.** The client reuses a credential of persistence `forSession`, the default, or `stored` for all later
/// calls to the same protection space, like `URLSession`. A credential of persistence `none` answers this challenge
/// alone. When the call's own delegate trusts a server or supplies a client certificate, that holds for this call
/// alone.
///
/// **Order of methods.** The client calls one method at a time, in the order of events, and on the actor of the
/// delegate. It calls a delegate without an actor off the main thread and off the event loops. Within an attempt, the
/// order is:
///
/// 1. ``taskIsWaitingForConnection(_:)`` and the questions of a new connection: trust, client certificate, proxy.
/// 2. The progress of the request, interim responses, challenges and redirects. A challenge or a redirect starts the
///    order again.
/// 3. The progress of the response, then ``task(_:didCollect:)``, and last ``task(_:didCompleteWith:)``.
///
/// While a method runs, progress is merged: the next method gets the latest count.
///
/// **Time.** The client retains a delegate until its call succeeds, fails or is cancelled. A call waits for an answer
/// as long as `Timeouts.call` allows, or `Timeouts.connect` during a TLS handshake. It returns after its delegate was
/// told about the completion. When the call is cancelled or out of time, the client cancels the task of a method that
/// still runs and does not wait for it. The delegate may then learn about the completion after the call has thrown.
///
/// **Spelling.** The client never calls a misspelled method. The compiler refuses the common mistakes, such as a result
/// that is not optional. It warns about many others if the conformance is declared in an extension together with its
/// methods.
public protocol TaskDelegate: _TaskDelegateSpelling {
    // MARK: Questions

    /// A server or a proxy asks for credentials, or a server presents its certificates.
    ///
    /// - Parameters:
    ///   - task: The call.
    ///   - challenge: The challenge. `challenge.kind` distinguishes HTTP authentication, trust and client certificates.
    /// - Returns: The answer, or `nil`, the default, to leave the challenge to the client's delegate or to default
    ///   handling.
    func task(_ task: TaskInfo, didReceive challenge: AuthenticationChallenge) async -> ChallengeDisposition?

    /// A response redirects the call (RFC 9110 §15.4).
    ///
    /// - Parameters:
    ///   - task: The call.
    ///   - request: The request that the client would send next, without the fields that must not go to another origin.
    ///     The delegate may change it.
    ///   - response: The redirect.
    /// - Returns: The answer, or `nil`, the default, to leave the redirect to the client's delegate or to the policy of
    ///   the request.
    func task(_ task: TaskInfo, willRedirectTo request: Request, for response: Response) async -> RedirectDisposition?

    /// The client must send the request again, but its body is a stream that can be read only once.
    ///
    /// - Parameters:
    ///   - task: The call.
    ///   - request: The request to send again.
    /// - Returns: A new body with the same content, uncompressed. If all delegates return `nil`, the default, the call
    ///   fails with `ClientError.uploadFailed`.
    func task(_ task: TaskInfo, needsNewBodyFor request: Request) async -> RequestBody?

    // MARK: Events

    /// The call waits for a connection because the host has as many as the pool allows.
    func taskIsWaitingForConnection(_ task: TaskInfo) async
    /// The client handed more of the request body to the network.
    func task(_ task: TaskInfo, didSendBodyData progress: TransferProgress) async
    /// The client will send the request again after a delay, according to the request's `RetryPolicy`.
    ///
    /// - Parameters:
    ///   - task: The call; ``TaskInfo/attempt`` is the attempt that ended.
    ///   - delay: The time until the next attempt.
    ///   - cause: The reason for the retry.
    func task(_ task: TaskInfo, willRetryAfter delay: Duration, because cause: RetryCause) async
    /// The server sent an interim response (RFC 9110 §15.2), such as 103 Early Hints.
    func task(_ task: TaskInfo, didReceiveInformationalResponse response: HTTPResponse) async
    /// The client read more of the response body.
    func task(_ task: TaskInfo, didReceiveBodyData progress: TransferProgress) async
    /// A WebSocket is open; `subprotocol` is the subprotocol that both sides agreed on, if any.
    func task(_ task: TaskInfo, didOpenWebSocket subprotocol: String?) async
    /// A WebSocket is closed; `code` and `reason` are from the peer's Close frame, if it sent one (RFC 6455 §7.1.5).
    func task(_ task: TaskInfo, didCloseWebSocket code: UInt16?, reason: String?) async
    /// The call is about to complete; `metrics` describes how it spent its time.
    func task(_ task: TaskInfo, didCollect metrics: TaskMetrics) async
    /// The call ended; `error` is `nil` if it succeeded.
    ///
    /// The client calls no method after this one.
    func task(_ task: TaskInfo, didCompleteWith error: ClientError?) async
}

/// A delegate's answer to a redirect.
@nonexhaustive
public enum RedirectDisposition: Sendable {
    /// Send this request, changed or not.
    ///
    /// The client sends all fields of this request, whatever its origin.
    case follow(Request)
    /// Do not follow: the redirect itself is the response.
    case stop
    /// End the call with `ClientError.cancelled`.
    case cancel
}

extension TaskDelegate {
    /// Returns `nil`: not mine.
    public func task(
        _ task: TaskInfo,
        didReceive challenge: AuthenticationChallenge
    ) async -> ChallengeDisposition? { nil }

    /// Returns `nil`: not mine.
    public func task(
        _ task: TaskInfo,
        willRedirectTo request: Request,
        for response: Response
    ) async -> RedirectDisposition? { nil }

    /// Returns `nil`: no new body.
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
