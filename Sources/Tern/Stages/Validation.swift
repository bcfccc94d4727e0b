// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
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

    func isNeeded(by call: HTTPCall) -> Bool { call.request.options.validation != nil }

    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        let reply = try await next.respond(to: call)
        let rules = call.request.options.validation ?? self.rules
        // 101 (Switching Protocols) comes only to who asked for it, and what follows is no content (RFC 9110 §15.2.2).
        guard !rules.isEmpty, reply.response.statusCode != 101 else { return reply }
        return try await self.validate(reply, for: call, rules)
    }

    private func validate(
        _ given: HTTPReply,
        for call: HTTPCall,
        _ rules: [ValidationRule]
    ) async throws(ClientError) -> HTTPReply {
        var reply = given
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
        let check = LengthCheck(lengths, call, reply.response)
        reply.body = reply.body.transformed(by: check, length: reply.body.length, for: call)
        return reply
    }

    private static func subject(of reply: HTTPReply, for call: HTTPCall) -> ValidationSubject {
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
        _ call: HTTPCall
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
        _ call: HTTPCall
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
        of reply: HTTPReply,
        _ call: HTTPCall
    ) async throws(ClientError) -> ClientError {
        let kept = try await KeptBody.reading(reply.body, limit: self.keptByteCount, for: call)
        reply.body.discard()
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
            // The stage passes nothing else. Should another ever come, the rule was not held.
            guard let response = response as? Response else { return false }
            return try await check(response)
        }
        return ValidationRule(.custom(rule))
    }
}

/// Ends a response body with an error where its length is not within a range.
private struct LengthCheck: BodyTransform {
    private let lowerBound: Int64
    private let upperBound: Int64
    private let call: HTTPCall
    private let response: Response
    private var byteCount: Int64 = 0

    /// Begins to count; all `ranges` of lengths must hold.
    init(_ ranges: [ClosedRange<Int64>], _ call: HTTPCall, _ response: Response) {
        self.lowerBound = ranges.map(\.lowerBound).max() ?? 0
        self.upperBound = ranges.map(\.upperBound).min() ?? .max
        self.call = call
        self.response = response
    }

    mutating func next(_ input: BodyInput, atLeast byteCount: Int) throws(ClientError) -> BodyStep {
        switch input {
        case .none:
            // One byte too many is enough to know; to gather more would be to wait for what is refused.
            let room = max(0, min(self.upperBound - self.byteCount, .max - 1))
            return .read(atLeast: Int(clamping: min(Int64(byteCount), room + 1)))
        case .bytes(let bytes):
            self.byteCount += Int64(bytes.readableBytes)
            guard self.byteCount <= self.upperBound else { throw self.failure }
            return .output(bytes)
        case .end:
            guard self.byteCount >= self.lowerBound else { throw self.failure }
            return .end
        }
    }

    private var failure: ClientError {
        let context = self.call.context(.body, response: self.response.httpResponse)
        return .validationFailed(ValidationFailure(.length(self.byteCount)), context)
    }
}
