// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernErrors
import TernTransport
import TernValidation

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Holds responses against rules, outermost of the client's own stages: it sees what the caller would get.
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
        var failure = ValidationFailure(rule)
        var reader = reply.body.makeReader()
        let idle = call.timeouts.idle
        let start = call.clock.now
        while true {
            do throws(ClientError) {
                guard let bytes = try await reader.next() else {
                    failure.isBodyComplete = true
                    break
                }
                let missing = self.keptByteCount - failure.body.count
                bytes.withUnsafeReadableBytes { failure.body.append(contentsOf: $0.prefix(max(0, missing))) }
                if bytes.readableBytes > missing { break }
            } catch {
                if error.isCancellation { throw error }
                break  // the rule was broken, whatever became of the body
            }
            // A server that drips one byte at a time is not waited for any longer than one that is silent.
            if let idle, start.duration(to: call.clock.now) > idle { break }
        }
        return .validationFailed(failure, call.context(.validate, response: reply.response.httpResponse))
    }
}
