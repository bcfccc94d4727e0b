// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import TernConnections
public import TernErrors
import TernRequests
public import TernTransport

/// A transport that answers from a script and records its calls.
///
/// ```swift
/// let transport = ScriptedTransport(
///     .response(.unauthorized),
///     .response(body: "welcome")
/// )
/// let client = Client(transport: transport)
/// ```
public final class ScriptedTransport: Transport {
    /// An answer of the script.
    public struct Step: Sendable {
        fileprivate let answer: @Sendable (HTTPCall) async throws(ClientError) -> HTTPReply

        /// Creates an answer from a closure, which gets the call.
        public init(_ answer: @escaping @Sendable (HTTPCall) async throws(ClientError) -> HTTPReply) {
            self.answer = answer
        }

        /// Answers with a response, which gets a `Content-Length` if its fields have none.
        public static func response(
            _ status: HTTPResponse.Status = .ok,
            fields: HTTPFields = [:],
            body: String = ""
        ) -> Step {
            var fields = fields
            if fields[.contentLength] == nil { fields[.contentLength] = "\(body.utf8.count)" }
            return Step { [fields] call async throws(ClientError) in
                let response = Response(url: call.request.url, status: status, fields: fields)
                return HTTPReply(response: response, body: ResponseBody(body))
            }
        }

        /// Fails the call with the error that a closure creates from the context of the call.
        public static func failure(_ error: @escaping @Sendable (ClientError.Context) -> ClientError) -> Step {
            Step { call async throws(ClientError) in throw error(call.context(.head)) }
        }

        /// Never answers the call, which ends when its task is cancelled.
        ///
        /// After a minute of real time, the call throws `ClientError.interceptorFailed` with a ``TestStallError``.
        public static let hang = Step { call async throws(ClientError) in
            let what = "the cancellation of \(call.request), which the script never answers"
            throw await call.stalled(what, call.context(.head))
        }
    }

    private struct State: Sendable {
        var script: [Step]
        var calls: [HTTPCall] = []
    }

    private let state: Observed<State>

    /// Creates a transport that gives each answer of the script once, in order.
    ///
    /// Without an answer left, a call throws `ClientError.interceptorFailed` with a ``TestStallError`` that names the call.
    public init(_ script: Step...) { self.state = Observed(State(script: script)) }

    /// The calls that the transport has received so far, oldest first.
    public var calls: [HTTPCall] { self.state.value.calls }

    /// Waits until the transport has received at least `count` calls since it was created.
    public func waitForCalls(_ count: Int) async throws(TestStallError) {
        try await self.state.wait(for: count.counted("call")) { state in
            state.calls.listed({ "\($0.request)" }, none: "none")
        } until: { state in
            state.calls.count >= count
        }
    }

    public func respond(to call: HTTPCall) async throws(ClientError) -> HTTPReply {
        let step = self.state.update { state in
            state.calls.append(call)
            return state.script.isEmpty ? nil : state.script.removeFirst()
        }
        guard let step else {
            let stall = TestStallError("The script has no answer for call \(self.calls.count), \(call.request).")
            throw .interceptorFailed(stall, call.context(.head))
        }
        return try await step.answer(call)
    }
}

extension HTTPCall {
    /// Waits until the call is cancelled, for at most a minute; `what` follows "The test waited … for" in the error.
    func stalled(_ what: String, _ context: ClientError.Context) async -> ClientError {
        let clock = SystemClock()
        let limit = WaitLimit.current
        let isCancelled = await Suspension<Bool>()
            .wait(until: clock.now.advanced(by: limit), on: clock, onTimeout: false, onCancel: true)
        if isCancelled { return .cancelled(context) }
        let stall = TestStallError("The test waited \(limit) for \(what).")
        return .interceptorFailed(stall, context)
    }
}
