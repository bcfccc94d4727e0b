// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import Synchronization
import TernErrors
public import TernTransport
public import TernValidation

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Checks responses against the validation rules.
///
/// It is the outermost stage, so it sees what the caller would get.
struct Validation: Stage {
    /// The client's rules.
    let rules: [ValidationRule]
    /// How much of the body a failure keeps, in bytes.
    let keptByteCount: Int

    var isIdle: Bool { self.rules.isEmpty }

    func isNeeded(by call: Call) -> Bool { call.request.options.validation != nil }

    func respond(to call: Call, next: Next) async throws(ClientError) -> Reply {
        let reply = try await next.respond(to: call)
        let rules = call.request.options.validation ?? self.rules
        // 101 (Switching Protocols) comes only to who asked for it, and what follows is no content (RFC 9110 §15.2.2).
        guard !rules.isEmpty, reply.response.statusCode != 101 else { return reply }
        return try await self.validate(consume reply, for: call, rules)
    }

    /// Takes the reply over: were it held above, so would be its connection.
    private func validate(
        _ given: consuming Reply,
        for call: Call,
        _ rules: [ValidationRule]
    ) async throws(ClientError) -> Reply {
        var reply = consume given
        let subject = Self.subject(of: reply, for: call)
        for rule in rules {
            guard let violation = try await self.violation(of: rule, by: reply.response, subject, call) else {
                continue
            }
            throw try await self.failure(violation, of: reply, call)
        }
        let lengths = rules.compactMap { rule -> ClosedRange<Int64>? in
            if case .length(let byteCounts) = rule.content { byteCounts } else { nil }
        }
        guard !lengths.isEmpty, subject.hasContent else { return reply }
        reply.body = ResponseBody(LengthCheckedBodySource(reply.body, lengths, call, reply.response))
        return reply
    }

    private static func subject(of reply: Reply, for call: Call) -> ValidationSubject {
        ValidationSubject(
            reply.response.httpResponse,
            method: call.request.method,
            accept: call.request.fields[.accept],
            length: reply.body.length
        )
    }

    private func violation(
        of rule: ValidationRule,
        by response: Response,
        _ subject: ValidationSubject,
        _ call: Call
    ) async throws(ClientError) -> ValidationFailure.Rule? {
        switch rule.content {
        case .custom(let custom):
            return try await Self.holds(custom, for: response, call) ? nil : .custom(custom.name)
        case .any(let rules):
            var first: ValidationFailure.Rule?
            for rule in rules {
                guard let violation = try await self.violation(of: rule, by: response, subject, call) else {
                    return nil
                }
                first = first ?? violation
            }
            return first
        default:
            return subject.violation(of: rule)
        }
    }

    /// Asks the application, no longer than the call may take.
    private static func holds(
        _ rule: CustomRule,
        for response: Response,
        _ call: Call
    ) async throws(ClientError) -> Bool {
        let outcome = try await Bounded.run(for: call, in: .validate) { () -> Result<Bool, any Error> in
            do {
                return .success(try await rule.check(response))
            } catch {
                return .failure(error)
            }
        }
        do {
            return try outcome.get()
        } catch let error as ClientError {
            throw error
        } catch {
            throw .interceptorFailed(error, call.context(.validate, response: response.httpResponse))
        }
    }

    // MARK: What is kept of the body

    private func failure(
        _ rule: ValidationFailure.Rule,
        of reply: Reply,
        _ call: Call
    ) async throws(ClientError) -> ClientError {
        let kept = try await KeptBody.reading(reply.body, limit: self.keptByteCount, for: call)
        let failure = ValidationFailure(rule, body: kept.bytes, isBodyComplete: kept.isComplete)
        return .validationFailed(failure, call.context(.validate, response: reply.response.httpResponse))
    }
}

extension ValidationRule {
    /// A rule of the application's own.
    ///
    /// ```swift
    /// let isFresh = ValidationRule.custom("fresh") { response in response[.age] == nil }
    /// ```
    ///
    /// Make it once and keep it: each is equal to itself only.
    ///
    /// - Parameters:
    ///   - name: what the failure calls it, `ValidationFailure.Rule.custom(name)`; it is shown in logs.
    ///   - check: whether the head of the response is accepted. It may wait for something; when the call is cancelled or
    ///     its time is over, it is cancelled and waited for no longer. A `ClientError` that it throws ends the call;
    ///     what else it throws does so as `ClientError.interceptorFailed`.
    /// - Returns: the rule.
    public static func custom(
        _ name: String,
        _ check: @escaping @Sendable (Response) async throws -> Bool
    ) -> ValidationRule {
        let rule = CustomRule(name: name) { response in
            // The stage gives nothing else.
            guard let response = response as? Response else { return true }
            return try await check(response)
        }
        return ValidationRule(.custom(rule))
    }
}

/// A response body that ends with an error where its length is not within a range.
final class LengthCheckedBodySource: ResponseBodySource {
    private struct State {
        /// The body; `nil` once it is over, so that its connection is free.
        var body: ResponseBody?
        var byteCount: Int64 = 0
    }

    let length: Int64?

    private let lowerBound: Int64
    private let upperBound: Int64
    private let call: Call
    private let response: Response
    private let state: Mutex<State>

    /// Begins to count; all `ranges` of lengths must hold.
    init(_ body: ResponseBody, _ ranges: [ClosedRange<Int64>], _ call: Call, _ response: Response) {
        self.length = body.length
        self.lowerBound = ranges.map(\.lowerBound).max() ?? 0
        self.upperBound = ranges.map(\.upperBound).min() ?? .max
        self.call = call
        self.response = response
        self.state = Mutex(State(body: body))
    }

    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        let (body, room) = self.state.withLock { state in
            (state.body?.taken(), self.upperBound - state.byteCount)
        }
        guard let body else { return nil }
        var reader = body.makeReader()
        // One byte too many is enough to know; to gather more would be to wait for what is refused.
        let wanted = Int(clamping: min(Int64(byteCount), max(0, min(room, .max - 1)) + 1))
        let bytes = try await reader.next(atLeast: wanted)
        let count = self.state.withLock { state in
            state.byteCount += Int64(bytes?.readableBytes ?? 0)
            if bytes == nil || state.byteCount > self.upperBound { state.body = nil }
            return state.byteCount
        }
        guard count > self.upperBound || bytes == nil && count < self.lowerBound else { return bytes }
        let context = self.call.context(.body, response: self.response.httpResponse)
        throw .validationFailed(ValidationFailure(.length(count)), context)
    }
}
