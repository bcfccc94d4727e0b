// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernErrors
public import TernRequests
public import TernTransport

/// Steers one call, or, as the client's delegate, all; every requirement has a default that changes nothing.
///
/// Give one to a call, and it answers for that call alone:
///
/// ```swift
/// final class SignIn: TaskDelegate {
///     func task(_ task: TaskInfo, didReceive challenge: AuthenticationChallenge) async -> ChallengeDisposition? {
///         guard challenge.protectionSpace.scheme == .basic else { return nil }  // not mine
///         let (user, password) = await controller.prompt()
///         return .useCredential(Credential(user: user, password: password))
///     }
/// }
/// let (data, response) = try await client.data(for: request, delegate: SignIn())
/// ```
///
/// **Who is asked.** The call's delegate first. Where it answers `nil`, which means "not mine", the client's. Where that
/// does, too, the default applies. Both are told about everything, the call's delegate first.
///
/// **For whom.** A credential of persistence `forSession`, the default, or `stored` is used from then on for all calls of
/// the client to the same protection space, as in `URLSession`; one of persistence `none` answers this challenge alone.
/// Trust in a server, and a client's certificate, hold for this call alone where its own delegate gave them.
///
/// **When.** Methods are called one at a time, in the order in which things happen, never on the main thread or an event
/// loop, and never after ``task(_:didCompleteWith:)``, which comes last. The first are
/// ``taskIsWaitingForConnection(_:)``, then the questions of a new connection (trust, client certificate, proxy); then
/// progress of the request, interim responses, challenges and redirects; then progress of the response;
/// ``task(_:didCollect:)`` and completion. After a challenge or a redirect it begins anew. Progress that comes while the
/// delegate is busy is told once, with the latest count.
///
/// **How long.** A delegate is held until its call completes, fails or is cancelled, and then let go. A call waits for an
/// answer as long as its `Timeouts.call` allows (during a TLS handshake, `Timeouts.connect`). When the call is cancelled
/// or that time passes, the method's task is cancelled, and the call ends without waiting for it.
public protocol TaskDelegate: Sendable {
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
    /// - Returns: the same content anew, as it was before the client compressed it; `nil`, the default, if there is none,
    ///   which ends the call with `ClientError.uploadFailed`.
    func task(_ task: TaskInfo, needsNewBodyFor request: Request) async -> RequestBody?

    // MARK: Events

    /// The host has as many connections as it may: the call waits until one is free.
    func taskIsWaitingForConnection(_ task: TaskInfo)
    /// More of the request body was handed to the network.
    func task(_ task: TaskInfo, didSend progress: TransferProgress)
    /// The request is tried again, as its `RetryPolicy` wants, once a time has passed.
    ///
    /// - Parameters:
    ///   - task: the call; ``TaskInfo/attempt`` is the try that ended.
    ///   - delay: how long the call waits before.
    ///   - cause: how the try ended.
    func task(_ task: TaskInfo, willRetryAfter delay: Duration, because cause: RetryCause)
    /// An interim response came (RFC 9110 §15.2), such as 103 Early Hints.
    func task(_ task: TaskInfo, didReceiveInformational response: HTTPResponse)
    /// More of the response body was read.
    func task(_ task: TaskInfo, didReceive progress: TransferProgress)
    /// A WebSocket is open; `subprotocol` is the one that was agreed, if one was.
    func task(_ task: TaskInfo, didOpenWebSocket subprotocol: String?)
    /// A WebSocket is closed; `code` and `reason` are the peer's, if it sent a Close frame (RFC 6455 §7.1.5).
    func task(_ task: TaskInfo, didCloseWebSocket code: UInt16?, reason: String?)
    /// How the time of the call was spent.
    func task(_ task: TaskInfo, didCollect metrics: TaskMetrics)
    /// The call is over; `error` is `nil` if it succeeded. Nothing is called after it.
    func task(_ task: TaskInfo, didCompleteWith error: ClientError?)
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

/// Why a request is tried again.
@nonexhaustive
public enum RetryCause: Sendable {
    /// It failed before a response came.
    case failure(ClientError)
    /// The server answered that it cannot serve the request now.
    case response(Response)
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

/// Which call a delegate is asked or told about, and how far it has come.
public struct TaskInfo: Identifiable, Sendable {
    /// A number that no other call of this process has.
    public let id: UInt64
    /// The request as it was given to the client.
    public private(set) var originalRequest: Request
    /// The request as it was last sent or is about to be: after redirects another one.
    public internal(set) var currentRequest: Request
    /// Which try this is, counting from 1; challenges and redirects make another.
    public internal(set) var attempt = 1
    /// How many bytes of body were handed to the network in this attempt.
    public internal(set) var sentByteCount: Int64 = 0
    /// How many bytes of body were read in this attempt.
    public internal(set) var receivedByteCount: Int64 = 0

    /// Forgets what was uploaded.
    mutating func dropBodies() {
        self.originalRequest.body = nil
        self.currentRequest.body = nil
    }

    init(id: UInt64, request: Request) {
        self.id = id
        self.originalRequest = request
        self.currentRequest = request
    }
}

/// How far a transfer has come.
public struct TransferProgress: Hashable, Sendable {
    /// How many bytes are done.
    public let byteCount: Int64
    /// How many there are in all; `nil` if that is not known.
    public let totalByteCount: Int64?

    /// How much is done, from 0 to 1; `nil` if the total is not known.
    public var fractionCompleted: Double? {
        guard let totalByteCount = self.totalByteCount else { return nil }
        return totalByteCount > 0 ? min(1, Double(self.byteCount) / Double(totalByteCount)) : 1
    }
}
