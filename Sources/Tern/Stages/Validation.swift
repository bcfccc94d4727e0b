// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernErrors
import TernFoundation
public import TernTransport
public import TernValidation

/// Checks responses against the validation rules, last of the client's own stages, as the caller gets them.
struct Validation: Stage {
    let rules: [ValidationRule]
    let keptByteCount: Int

    var isIdle: Bool { self.rules.isEmpty }

    func isNeeded(by call: HTTPCall) -> Bool { call.request.options.validation != nil }

    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        let reply = try await next.respond(to: call)
        let rules = call.request.options.validation ?? self.rules
        // Only a request to upgrade the connection receives 101 (Switching Protocols), and the bytes after a 101 are
        // not content (RFC 9110 §15.2.2).
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

    /// Runs the application's rule, and stops waiting for it when the call's time is up.
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

    // MARK: The body of a failure

    private func failure(
        _ rule: ValidationFailure.Rule,
        of reply: HTTPReply,
        _ call: HTTPCall
    ) async throws(ClientError) -> ClientError {
        let kept = try await BodyExcerpt.reading(reply.body, limit: self.keptByteCount, for: call)
        reply.body.discard()
        let failure = ValidationFailure(rule, body: kept.bytes, isBodyComplete: kept.isComplete)
        return .validationFailed(failure, call.context(.validate, response: reply.response.httpResponse))
    }
}

extension ValidationRule {
    /// Returns a rule that calls a closure.
    ///
    /// Create the rule once and keep it: two rules that were created separately are not equal, even with the same name.
    ///
    /// - Parameters:
    ///   - name: The name of the rule in errors, as `ValidationFailure.Rule.custom(name)`. It may appear in logs.
    ///   - check: A closure that returns whether the client accepts the head of the response. When the call is cancelled or out
    ///     of time, the client cancels the closure and stops waiting for it. The client passes on a `ClientError`
    ///     that it throws; any other error becomes `ClientError.interceptorFailed`.
    /// - Returns: The rule.
    public static func custom(
        _ name: String,
        _ check: @escaping @Sendable (Response) async throws -> Bool
    ) -> ValidationRule {
        let rule = CustomRule(name: name) { response in
            // The validation stage always passes a `Response`, so reject any other value.
            guard let response = response as? Response else { return false }
            return try await check(response)
        }
        return ValidationRule(.custom(rule))
    }
}

/// Ends a response body with an error if the body becomes longer or shorter than the validation rules allow.
private struct LengthCheck: BodyTransform {
    private let lowerBound: Int64
    private let upperBound: Int64
    private let call: HTTPCall
    private let response: Response
    private var byteCount: Int64 = 0

    init(_ ranges: [ClosedRange<Int64>], _ call: HTTPCall, _ response: Response) {
        self.lowerBound = ranges.map(\.lowerBound).max() ?? 0
        self.upperBound = ranges.map(\.upperBound).min() ?? .max
        self.call = call
        self.response = response
    }

    mutating func next(_ input: BodyInput, atLeast byteCount: Int) throws(ClientError) -> BodyStep {
        switch input {
        case .none:
            // One byte beyond the limit is enough to reject the body, so do not wait for more bytes.
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
