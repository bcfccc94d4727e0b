// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernErrors
public import TernRequests
public import TernTransport

/// Handles the challenges and events of one call, or of all calls of a client.
///
/// Every method has a default that changes nothing. A delegate that you pass to a call handles that call alone, and is retained
/// at least until the call ends; a delegate that you pass to a client handles all its calls. A delegate can be an actor, a
/// structure, or a class that is isolated to the main actor. A method that does not wait can leave out `async`:
///
/// ```swift
/// @MainActor final class SignIn: TaskDelegate {
///     var attempts = 0
///
///     func task(
///         _ task: TaskInfo,
///         didReceive challenge: AuthenticationChallenge
///     ) async -> ChallengeDisposition? {
///         guard challenge.protectionSpace.scheme == .basic else {
///             return nil  // not mine
///         }
///         self.attempts += 1
///         let (user, password) = await controller.prompt()
///         return .useCredential(Credential(user: user, password: password))
///     }
/// }
/// let (data, response) = try await client.data(for: request, delegate: SignIn())
/// ```
///
/// **Order of delegates.** The client asks the call's delegate first. If that delegate returns `nil`, which means "not mine", the
/// client usually asks the client's delegate. If that one returns `nil`, too, the client applies the default. The client reports
/// events to both delegates, to the call's delegate first.
///
/// **Credentials.** With the `persistence` `forSession` (the default) or `stored`, the client usually uses an accepted credential
/// for later calls to the same protection space, too. With `none`, the credential is for this call alone. When the call's own
/// delegate trusts a server or supplies a client certificate, its answer is for this call alone.
///
/// **Order of methods.** For one call, the client calls one method at a time, in the order of events, and on the actor of the
/// delegate. For different calls, it may call the methods of the client's delegate at the same time. It calls a delegate without
/// an actor off the main thread and off the event loops. For each request that the call sends, the order is usually:
///
/// 1. ``taskIsWaitingForConnection(_:)``, and the questions about a new connection: trust, client certificate, proxy.
/// 2. The progress of the request, interim responses, challenges, redirects and retries. After one of the last three, the client
///    may send another request, with which the order begins again.
/// 3. The progress of the response, then ``task(_:didCollect:)``, and last ``task(_:didCompleteWith:)``.
///
/// **Progress.** The client reports the first 16 pieces of a body one by one, then at most one in 10 milliseconds, and usually the
/// last one. While a method runs, a newer report may replace the one that waits.
///
/// **Time.** A call waits for an answer as long as `Timeouts.call` allows, or usually `Timeouts.connect` during a TLS handshake. A
/// call that reads the whole body, such as `data`, returns only after ``task(_:didCompleteWith:)`` has returned. But if the call is
/// cancelled or out of time, it does not wait: the client cancels the task of a method that still runs, and may report the
/// completion after the call has ended.
///
/// **Spelling.** The client never calls a misspelled method. The compiler refuses the common mistakes, such as a result that is
/// not optional. If an extension declares the conformance together with the methods, the compiler warns about many others.
public protocol TaskDelegate: _TaskDelegateSpelling {
    // MARK: Questions

    /// A server or a proxy asks for credentials, presents its certificates, or asks for a client certificate.
    ///
    /// Returning `nil`, the default, leaves the challenge to the client's delegate, and then to default handling. The client does
    /// not ask if the request itself sets `Authorization` (for a proxy, `Proxy-Authorization`), if it carries a token of
    /// `Client.Configuration.bearer`, or after 16 answers to one server or proxy.
    func task(_ task: TaskInfo, didReceive challenge: AuthenticationChallenge) async -> ChallengeDisposition?

    /// A response redirects the call (RFC 9110 §15.4).
    ///
    /// - Parameters:
    ///   - task: The call.
    ///   - request: The request that the client would send next, without the fields that must not go to another origin.
    ///   - response: The redirect.
    /// - Returns: The answer. `nil`, the default, leaves the redirect to the client's delegate, and then to the redirect policy.
    func task(_ task: TaskInfo, willRedirectTo request: Request, for response: Response) async -> RedirectDisposition?

    /// The client must send the request again, but its body is a stream that can be read only once.
    ///
    /// - Parameters:
    ///   - task: The call.
    ///   - request: The request to send again.
    /// - Returns: A new body with the same content, which the client compresses like the first one. `nil`, the default, leaves
    ///   the question to the client's delegate. If that one returns `nil`, too, the client does not retry, and a call that needs
    ///   the body for a redirect or a challenge fails with `ClientError.uploadFailed`.
    func task(_ task: TaskInfo, needsNewBodyFor request: Request) async -> RequestBody?

    // MARK: Events

    /// The call waits for a connection: the host has the maximum, another call is opening one, or `URLSession` has no network.
    func taskIsWaitingForConnection(_ task: TaskInfo) async
    /// The client has begun to send more of the request body.
    func task(_ task: TaskInfo, didSendBodyData progress: TransferProgress) async
    /// The client will send the request again after a delay; ``TaskInfo/attempt`` is the attempt that ended.
    func task(_ task: TaskInfo, willRetryAfter delay: Duration, because cause: RetryCause) async
    /// The server sent an interim response (RFC 9110 §15.2), such as 103 Early Hints; if too many events wait, the client drops it.
    func task(_ task: TaskInfo, didReceiveInformationalResponse response: HTTPResponse) async
    /// The client read more of the response body; in a download that can be resumed, the progress is that of the whole file.
    func task(_ task: TaskInfo, didReceiveBodyData progress: TransferProgress) async
    /// A WebSocket is open; `subprotocol` is the subprotocol that both sides agreed on, or `nil`.
    func task(_ task: TaskInfo, didOpenWebSocket subprotocol: String?) async
    /// A WebSocket is closed; `code` and `reason` are those of the server's Close frame, or `nil` without them (RFC 6455 §7.1.5).
    func task(_ task: TaskInfo, didCloseWebSocket code: UInt16?, reason: String?) async
    /// The call is about to complete; `metrics` says how the call spent its time.
    func task(_ task: TaskInfo, didCollect metrics: TaskMetrics) async
    /// The call ended, which is the last event; `error` is `nil` if the call succeeded.
    func task(_ task: TaskInfo, didCompleteWith error: ClientError?) async
}

/// A delegate's answer to a redirect.
@nonexhaustive
public enum RedirectDisposition: Sendable {
    /// Follow the redirect with this request; the redirect removes no fields, even to another origin or from `https` to `http`.
    case follow(Request)
    /// Do not follow the redirect: treat it as the response.
    case stop
    /// End the call with `ClientError.cancelled`.
    case cancel
}

extension TaskDelegate {
    /// Returns `nil`, so the client asks the next delegate, or applies the default.
    public func task(
        _ task: TaskInfo,
        didReceive challenge: AuthenticationChallenge
    ) async -> ChallengeDisposition? { nil }

    /// Returns `nil`, so the client asks the next delegate, or applies the default.
    public func task(
        _ task: TaskInfo,
        willRedirectTo request: Request,
        for response: Response
    ) async -> RedirectDisposition? { nil }

    /// Returns `nil`, so the client asks the next delegate, or does not send the request again.
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
