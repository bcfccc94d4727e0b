// SPDX-License-Identifier: Apache-2.0
import Synchronization
import Tern
import TernFoundation
import TernTransport
import Tracing

/// A span that ends exactly once.
final class SpanObservation: Sendable {
    private let span: any Span
    private let isEnded = Atomic<Bool>(false)

    init(_ span: any Span) { self.span = span }

    deinit { self.end(nil) }

    func begin(_ call: HTTPCall) {
        guard self.span.isRecording else { return }
        let url = call.request.url
        let method = call.request.method.rawValue
        self.span.updateAttributes { attributes in
            attributes["http.request.method"] = ObservedText.method(method)
            if ObservedText.method(method) != method { attributes["http.request.method_original"] = method }
            // "The query string ... SHOULD be scrubbed when instrumentations can identify" sensitive parts. A client
            // cannot identify them, so it leaves out the whole query.
            attributes["url.full"] = ObservedText.url(url) + (url.query() == nil ? "" : "?REDACTED")
            attributes["server.address"] = call.destination.origin.host
            attributes["server.port"] = call.destination.origin.port
            if call.attempt > 1 { attributes["http.request.resend_count"] = call.attempt - 1 }
        }
    }

    /// Records the status; the span ends when the body does, but at once if the body is in memory or the connection is upgraded.
    func complete(_ reply: HTTPReply) -> HTTPReply {
        let status = reply.response.statusCode
        self.span.attributes["http.response.status_code"] = status
        if let version = reply.response.httpVersion {
            self.span.attributes["network.protocol.version"] = version.number
        }
        if status >= 400 {
            self.span.attributes["error.type"] = ObservedText.status(status)
            self.span.setStatus(SpanStatus(code: .error))
        }
        var reply = reply
        if reply.body.whole != nil || reply.upgrade != nil {
            self.end(nil)
        } else {
            reply.body = ResponseBody(ObservedBody(reply.body, self))
        }
        return reply
    }

    func end(_ error: ClientError?) {
        guard !self.isEnded.exchange(true, ordering: .relaxed) else { return }
        if case .cancelled? = error {
            // The caller cancelled the call deliberately; the status "error" would suggest a fault.
            self.span.attributes["tern.cancelled"] = true
        } else if let error {
            self.span.attributes["error.type"] = ObservedText.name(of: error)
            let text = error.description
            self.span.setStatus(SpanStatus(code: .error, message: text))
            // A tracer may name the type of the error that it gets, unless the attributes do.
            let attributes: SpanAttributes = [
                "exception.type": .string(String(reflecting: ClientError.self)), "exception.message": .string(text),
            ]
            self.span.recordError(RecordedError(description: text), attributes: attributes)
        }
        self.span.end()
    }
}

/// The text of an error without its parts, of which a tracer may show all: an error of the application can contain any secret.
private struct RecordedError: Error, CustomStringConvertible {
    let description: String
}

extension SpanObservation: BodyObserver {
    func didEnd(_ error: ClientError?) async { self.end(error) }

    func didDiscard() { self.end(nil) }
}
