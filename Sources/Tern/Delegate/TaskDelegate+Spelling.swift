// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernErrors
public import TernRequests
public import TernTransport

// Every requirement of TaskDelegate has a default. So if a delegate misspells a method, the compiler does not warn, and
// the client never calls that method. To refuse the common misspellings, the protocol below requires them as methods.
// Each of these methods has its own associated type as its result. If a delegate has the misspelled method, the result
// of that method becomes the associated type. Then only an unavailable member satisfies the static requirement after
// the method, so the compiler refuses the conformance and prints that member's message.

/// The result type of a misspelled method when a delegate does not have that method.
public struct _NoMethod: Sendable {}

/// Requirements by which the compiler refuses common mistakes in a ``TaskDelegate``.
public protocol _TaskDelegateSpelling: Sendable {
    // MARK: Results that are not optional

    associatedtype _ChallengeResult = ChallengeDisposition?
    func task(_ task: TaskInfo, didReceive challenge: AuthenticationChallenge) async -> _ChallengeResult
    static var _challengeResult: Void { get }

    associatedtype _RedirectResult = RedirectDisposition?
    func task(_ task: TaskInfo, willRedirectTo request: Request, for response: Response) async -> _RedirectResult
    static var _redirectResult: Void { get }

    associatedtype _BodyResult = RequestBody?
    func task(_ task: TaskInfo, needsNewBodyFor request: Request) async -> _BodyResult
    static var _bodyResult: Void { get }

    // MARK: Names from URLSession's delegates, and earlier names of Tern

    associatedtype _Completion = _NoMethod
    func task(_ task: TaskInfo, didCompleteWithError error: (any Error)?) async -> _Completion
    static var _completion: Void { get }

    associatedtype _TypedCompletion = _NoMethod
    func task(_ task: TaskInfo, didCompleteWithError error: ClientError?) async -> _TypedCompletion
    static var _typedCompletion: Void { get }

    associatedtype _Metrics = _NoMethod
    func task(_ task: TaskInfo, didFinishCollecting metrics: TaskMetrics) async -> _Metrics
    static var _metrics: Void { get }

    associatedtype _Waiting = _NoMethod
    func taskIsWaitingForConnectivity(_ task: TaskInfo) async -> _Waiting
    static var _waiting: Void { get }

    associatedtype _Sending = _NoMethod
    func task(_ task: TaskInfo, didSend progress: TransferProgress) async -> _Sending
    static var _sending: Void { get }

    associatedtype _Receiving = _NoMethod
    func task(_ task: TaskInfo, didReceive progress: TransferProgress) async -> _Receiving
    static var _receiving: Void { get }

    associatedtype _Informational = _NoMethod
    func task(_ task: TaskInfo, didReceiveInformational response: HTTPResponse) async -> _Informational
    static var _informational: Void { get }

    associatedtype _Challenging = _NoMethod
    func task(_ task: TaskInfo, didReceiveChallenge challenge: AuthenticationChallenge) async -> _Challenging
    static var _challenging: Void { get }

    associatedtype _Redirecting = _NoMethod
    func task(
        _ task: TaskInfo,
        willPerformHTTPRedirection response: Response,
        newRequest request: Request
    ) async -> _Redirecting
    static var _redirecting: Void { get }

    associatedtype _Reading = _NoMethod
    func task(_ task: TaskInfo, needNewBodyStream request: Request) async -> _Reading
    static var _reading: Void { get }
}

extension TaskDelegate {
    @available(
        *,
        unavailable,
        message: "return ChallengeDisposition?; nil leaves the challenge to the client's delegate, or to the default"
    )
    public static var _challengeResult: Void { () }

    @available(
        *,
        unavailable,
        message:
            "return RedirectDisposition?; nil leaves the redirect to the client's delegate, or to the request's policy"
    )
    public static var _redirectResult: Void { () }

    @available(*, unavailable, message: "return RequestBody?; nil means that there is no other body")
    public static var _bodyResult: Void { () }

    @_documentation(visibility: internal)
    public func task(_ task: TaskInfo, didCompleteWithError error: (any Error)?) async -> _NoMethod { _NoMethod() }
    @available(*, unavailable, message: "the client calls task(_:didCompleteWith:) and passes a ClientError? to it")
    public static var _completion: Void { () }

    @_documentation(visibility: internal)
    public func task(_ task: TaskInfo, didCompleteWithError error: ClientError?) async -> _NoMethod { _NoMethod() }
    @available(*, unavailable, message: "the client calls task(_:didCompleteWith:)")
    public static var _typedCompletion: Void { () }

    @_documentation(visibility: internal)
    public func task(_ task: TaskInfo, didFinishCollecting metrics: TaskMetrics) async -> _NoMethod { _NoMethod() }
    @available(*, unavailable, message: "the client calls task(_:didCollect:)")
    public static var _metrics: Void { () }

    @_documentation(visibility: internal)
    public func taskIsWaitingForConnectivity(_ task: TaskInfo) async -> _NoMethod { _NoMethod() }
    @available(*, unavailable, message: "the client calls taskIsWaitingForConnection(_:)")
    public static var _waiting: Void { () }

    @_documentation(visibility: internal)
    public func task(_ task: TaskInfo, didSend progress: TransferProgress) async -> _NoMethod { _NoMethod() }
    @available(*, unavailable, message: "the client calls task(_:didSendBodyData:)")
    public static var _sending: Void { () }

    @_documentation(visibility: internal)
    public func task(_ task: TaskInfo, didReceive progress: TransferProgress) async -> _NoMethod { _NoMethod() }
    @available(*, unavailable, message: "the client calls task(_:didReceiveBodyData:)")
    public static var _receiving: Void { () }

    @_documentation(visibility: internal)
    public func task(_ task: TaskInfo, didReceiveInformational response: HTTPResponse) async -> _NoMethod {
        _NoMethod()
    }
    @available(*, unavailable, message: "the client calls task(_:didReceiveInformationalResponse:)")
    public static var _informational: Void { () }

    @_documentation(visibility: internal)
    public func task(_ task: TaskInfo, didReceiveChallenge challenge: AuthenticationChallenge) async -> _NoMethod {
        _NoMethod()
    }
    @available(*, unavailable, message: "the client calls task(_:didReceive:)")
    public static var _challenging: Void { () }

    @_documentation(visibility: internal)
    public func task(
        _ task: TaskInfo,
        willPerformHTTPRedirection response: Response,
        newRequest request: Request
    ) async -> _NoMethod { _NoMethod() }
    @available(*, unavailable, message: "the client calls task(_:willRedirectTo:for:)")
    public static var _redirecting: Void { () }

    @_documentation(visibility: internal)
    public func task(_ task: TaskInfo, needNewBodyStream request: Request) async -> _NoMethod { _NoMethod() }
    @available(*, unavailable, message: "the client calls task(_:needsNewBodyFor:)")
    public static var _reading: Void { () }
}

extension TaskDelegate where _ChallengeResult == ChallengeDisposition? {
    public static var _challengeResult: Void { () }
}

extension TaskDelegate where _RedirectResult == RedirectDisposition? {
    public static var _redirectResult: Void { () }
}

extension TaskDelegate where _BodyResult == RequestBody? {
    public static var _bodyResult: Void { () }
}

extension TaskDelegate where _Completion == _NoMethod {
    public static var _completion: Void { () }
}

extension TaskDelegate where _TypedCompletion == _NoMethod {
    public static var _typedCompletion: Void { () }
}

extension TaskDelegate where _Metrics == _NoMethod {
    public static var _metrics: Void { () }
}

extension TaskDelegate where _Waiting == _NoMethod {
    public static var _waiting: Void { () }
}

extension TaskDelegate where _Sending == _NoMethod {
    public static var _sending: Void { () }
}

extension TaskDelegate where _Receiving == _NoMethod {
    public static var _receiving: Void { () }
}

extension TaskDelegate where _Informational == _NoMethod {
    public static var _informational: Void { () }
}

extension TaskDelegate where _Challenging == _NoMethod {
    public static var _challenging: Void { () }
}

extension TaskDelegate where _Redirecting == _NoMethod {
    public static var _redirecting: Void { () }
}

extension TaskDelegate where _Reading == _NoMethod {
    public static var _reading: Void { () }
}
