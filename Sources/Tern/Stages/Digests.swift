// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernDigests
import TernErrors
import TernRequests
import TernTransport

/// Sends and checks digests (RFC 9530), after all stages and interceptors that change a body.
struct Digests: Stage {
    let checking: DigestChecking

    var isIdle: Bool { self.checking == .off }

    func isNeeded(by call: HTTPCall) -> Bool {
        (call.request.options.digestChecking ?? .off) != .off || call.request.options.contentDigest != nil
    }

    func respond(to call: HTTPCall, next: NextStages) async throws(ClientError) -> HTTPReply {
        var call = call
        try await call.addContentDigest()
        let checking = call.request.options.digestChecking ?? self.checking
        // The response to an upgrade, such as a WebSocket handshake, has no content to check.
        guard checking != .off, call.upgrade == nil else { return try await next.respond(to: call) }
        Self.ask(&call)
        let reply = try await next.respond(to: call)
        return try Self.checked(reply, checking, call)
    }

    private static func ask(_ call: inout HTTPCall) {
        if !call.request.fields.contains(.wantContentDigest) {
            call.request.fields[.wantContentDigest] = DigestCheck.wanted
        }
        if !call.request.fields.contains(.te) { call.request.fields[.te] = "trailers" }
    }

    private static func checked(
        _ original: HTTPReply,
        _ checking: DigestChecking,
        _ call: HTTPCall
    ) throws(ClientError) -> HTTPReply {
        var reply = original
        let response = reply.response
        let plan = DigestCheck.plan(
            checking,
            method: call.request.method,
            statusCode: response.statusCode,
            head: response.fields,
            canHaveTrailers: response.receivedTrailers != nil
        )
        switch plan {
        case .pass:
            return reply
        case .refuse(let failure):
            // Earlier stages answer redirects and challenges without reading their content, so fail only when the
            // content is read.
            guard response.isSuccess else {
                reply.body = reply.body.transformed(
                    by: Refusal(Checked(call, response), failure),
                    length: nil,
                    for: call
                )
                return reply
            }
            reply.discardBody()
            throw Checked(call, response).error(failure)
        case .check(let check):
            guard response.isSuccess, let whole = reply.body.whole else {
                let verification = Verification(Checked(call, response), check)
                reply.body = reply.body.transformed(by: verification, length: reply.body.length, for: call)
                return reply
            }
            var check = check
            whole.withUnsafeReadableBytes { check.update($0) }
            try Checked(call, response).finish(check)
            return reply
        }
    }
}

/// The response whose digest the client checks: its trailers, and its head for the context of an error.
private struct Checked: Sendable {
    let call: HTTPCall
    let response: Response

    init(_ call: HTTPCall, _ response: Response) {
        self.call = call
        self.response = response
    }

    func finish(_ check: DigestCheck) throws(ClientError) {
        do throws(DigestFailure) {
            try check.finish(trailers: self.response.trailers)
        } catch {
            throw self.error(error)
        }
    }

    func error(_ failure: DigestFailure) -> ClientError {
        .digestFailed(failure, self.call.context(.body, response: self.response.httpResponse))
    }
}

/// Hashes a body while the caller reads it, and compares the digest at the end of the body.
private struct Verification: BodyTransform {
    private let checked: Checked
    private var check: DigestCheck

    init(_ checked: Checked, _ check: DigestCheck) {
        self.checked = checked
        self.check = check
    }

    mutating func next(_ input: BodyInput, atLeast byteCount: Int) throws(ClientError) -> BodyStep {
        switch input {
        case .none: return .read(atLeast: byteCount)
        case .bytes(let bytes):
            bytes.withUnsafeReadableBytes { self.check.update($0) }
            return .output(bytes)
        case .end:
            try self.checked.finish(self.check)
            return .end
        }
    }
}

/// A body that fails when the caller reads it, because the response's digest is missing or not valid.
private struct Refusal: BodyTransform {
    private let checked: Checked
    private let failure: DigestFailure

    init(_ checked: Checked, _ failure: DigestFailure) {
        self.checked = checked
        self.failure = failure
    }

    func next(_ input: BodyInput, atLeast byteCount: Int) throws(ClientError) -> BodyStep {
        throw self.checked.error(self.failure)
    }
}
