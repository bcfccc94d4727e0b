// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import NIOCore
public import TernErrors
import TernHTTP1
import TernRequests
public import TernTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A transport that answers from a script and remembers what it was asked.
///
/// ```swift
/// let transport = ScriptedTransport(.response(.unauthorized), .response(body: "welcome"))
/// let client = Client(transport: transport)
/// ```
public final class ScriptedTransport: Transport {
    /// One answer of the script.
    public struct Step: Sendable {
        fileprivate let answer: @Sendable (Call) async throws(ClientError) -> Reply

        /// Answers by a closure.
        public init(_ answer: @escaping @Sendable (Call) async throws(ClientError) -> Reply) { self.answer = answer }

        /// Answers with a response.
        public static func response(
            _ status: HTTPResponse.Status = .ok,
            fields: HTTPFields = [:],
            body: String = ""
        ) -> Step {
            Step { call async throws(ClientError) in
                .scripted(status, fields: fields, body: body, url: call.request.url)
            }
        }

        /// Fails with the error that the closure makes of a context.
        public static func failure(_ error: @escaping @Sendable (ClientError.Context) -> ClientError) -> Step {
            Step { call async throws(ClientError) in throw error(call.context(.head)) }
        }

        /// Does not answer, until the task is cancelled.
        public static let hang = Step { call async throws(ClientError) in
            _ = await Suspension<Void>().wait(onCancel: ())
            throw .cancelled(call.context(.head))
        }
    }

    private struct State: Sendable {
        var script: [Step]
        var calls: [Call] = []
    }

    private let state: Observed<State>

    /// Creates a transport that gives each answer once, in order.
    public init(_ script: Step...) { self.state = Observed(State(script: script)) }

    /// The calls received so far, oldest first.
    public var calls: [Call] { self.state.value.calls }

    /// Waits until `count` calls were received in all; returns at once if the task is cancelled.
    public func waitForCalls(_ count: Int) async { await self.state.wait { $0.calls.count >= count } }

    public func respond(to call: Call) async throws(ClientError) -> Reply {
        let step = self.state.update { state in
            state.calls.append(call)
            return state.script.isEmpty ? nil : state.script.removeFirst()
        }
        guard let step else { preconditionFailure("the script has no answer for call \(self.calls.count)") }
        return try await step.answer(call)
    }
}

extension Reply {
    /// A reply whose body is there already, for an interceptor or a transport in a test.
    ///
    /// - Parameters:
    ///   - status: the status; 200 OK by default.
    ///   - fields: the fields; the length of the body is added.
    ///   - body: the body; empty by default.
    ///   - url: what was asked for.
    /// - Returns: the reply.
    public static func scripted(
        _ status: HTTPResponse.Status = .ok,
        fields: HTTPFields = [:],
        body: String = "",
        url: URL
    ) -> Reply {
        let scripted = ScriptedResponse.response(status, fields: fields, body: body)
        var decoder = ResponseDecoder(method: .get, allowsUpgrade: status == .switchingProtocols)
        let step = try? decoder.next(ByteBuffer(bytes: scripted.head).readableBytesSpan)
        guard case .head(let head)? = step?.event else { preconditionFailure("\(status) cannot be a final response") }
        return Reply(response: Response(url: url, head: head), body: ResponseBody(ByteBuffer(bytes: scripted.body)))
    }
}
