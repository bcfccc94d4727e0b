// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernConnections
import TernErrors
import TernFields
import TernFoundation
import TernRequests
import TernTransport

/// A request that is checked and ready to be sent; if its body is a file, the file is open.
final class OutgoingRequest: Sendable {
    enum Body: Sendable {
        case none
        case data(Data)
        case file(ReadableFile)
        case stream(RequestBody.Stream)
    }

    /// The maximum length of a body, in bytes, that is sent with the head in one write.
    static let maximumInlineByteCount = 64 << 10

    let head: OutgoingHead
    let body: Body
    let bodyLength: Int64?
    /// Trailer fields in addition to the trailer fields of the body's source.
    let trailers: RequestBody.AddedTrailers?
    /// Whether the client itself added `Expect: 100-continue`, which it does only over HTTP/1.1.
    let addedExpectation: Bool

    init(_ call: HTTPCall, _ route: Route, _ settings: ExchangeSettings) throws(ClientError) {
        let body = try Self.open(call)
        let length = Self.length(of: body)
        let trailers = call.request.body?.addedTrailers
        let asked = call.request.options.expectsContinue
        let isLarge = Self.isLarge(body, length, settings.expectContinueThreshold)
        self.body = body
        self.bodyLength = length
        self.trailers = trailers
        self.addedExpectation = asked == nil && isLarge
        let isForwarded = if case .forward = route { true } else { false }
        do throws(RequestFailure) {
            self.head = try OutgoingHead(
                of: call,
                fields: Self.fields(of: call, isForwarded: isForwarded),
                isForwarded: isForwarded,
                bodyLength: Self.announced(body, length, hasTrailers: trailers != nil),
                expectsContinue: asked ?? isLarge
            )
        } catch {
            throw .invalidRequest(error, call.context(.prepare))
        }
    }

    /// Creates a request to a proxy for a tunnel.
    init(tunnelTo authority: String, fields: HTTPFields) {
        self.head = OutgoingHead(tunnelTo: authority, fields: fields)
        self.body = .none
        self.bodyLength = 0
        self.trailers = nil
        self.addedExpectation = false
    }

    init(withoutExpectation other: OutgoingRequest) {
        var head = other.head
        head.expectsContinue = false
        self.head = head
        self.body = other.body
        self.bodyLength = other.bodyLength
        self.trailers = other.trailers
        self.addedExpectation = false
    }

    var inlineBody: Data? {
        guard case .data(let data) = self.body, data.count <= Self.maximumInlineByteCount, self.trailers == nil else {
            return nil
        }
        return self.head.expectsContinue ? nil : data
    }

    var hasBody: Bool {
        if case .none = self.body { false } else { true }
    }

    var needsUpload: Bool {
        if case .none = self.body { return false }
        return self.inlineBody == nil && self.emptyStream == nil
    }

    /// Whether the body is a stream, of whose length the client is certain only at its end.
    var isStream: Bool {
        if case .stream = self.body { true } else { false }
    }

    /// The body, if it is a stream whose announced length is 0, so that the head is the complete request.
    var emptyStream: RequestBody.Stream? {
        guard case .stream(let stream) = self.body, self.head.bodyLength == .bytes(0), !self.head.expectsContinue
        else {
            return nil
        }
        return stream
    }

    /// Returns whether the client may send the request again: its body must be there from the beginning, and unless the server
    /// certainly has not acted on the request, it must be repeatable.
    func maySendAgain(for call: HTTPCall, after delivery: ClientError.Delivery, hasReadBody: Bool) -> Bool {
        (self.isReplayable || !hasReadBody) && (delivery != .unknown || call.request.isRepeatable)
    }

    private var isReplayable: Bool {
        if case .stream(let stream) = self.body { stream.isReplayable } else { true }
    }

    /// Returns the fields, with `Proxy-Authorization` only to a proxy that forwards, not through a tunnel (RFC 9110 §11.7.2).
    private static func fields(of call: HTTPCall, isForwarded: Bool) -> HTTPFields {
        // Without a body, the effective fields are the request's fields, which can be read without copying the request.
        var fields = call.request.body == nil ? call.request.fields : call.request.effectiveFields
        if let trailers = call.request.body?.addedTrailers { fields.announce(trailers) }
        if let priority = call.request.options.adjustablePriority { fields.set(priority.current) }
        if isForwarded { return fields }
        if fields.contains(.proxyAuthorization) { fields[.proxyAuthorization] = nil }
        return fields
    }

    private static func open(_ call: HTTPCall) throws(ClientError) -> Body {
        guard let body = call.request.body else { return .none }
        guard call.request.method != .trace else {
            throw .invalidRequest(.bodyNotAllowed(method: "TRACE"), call.context(.prepare))
        }
        switch body.content {
        case .data(let data):
            return .data(data)
        case .stream(let stream):
            return .stream(stream)
        case .multipart(let multipart):
            return .stream(try RequestBody.Stream(multipart, context: call.context(.prepare)))
        case .file(let url):
            do throws(FileReadError) {
                guard body.addedTrailers?.readsContent == true else {
                    return .file(try ReadableFile(path: url.path, part: body.filePart))
                }
                // The trailers are computed from the content, but the operating system would send the file without
                // passing its bytes to this process.
                let pieces = try FilePieces(path: url.path, part: body.filePart)
                return .stream(RequestBody.Stream(length: pieces.byteCount, isReplayable: true) { pieces })
            } catch {
                throw .uploadFailed(error.reason, call.context(.prepare))
            }
        }
    }

    private static func length(of body: Body) -> Int64? {
        switch body {
        case .none: 0
        case .data(let data): Int64(data.count)
        case .file(let file): Int64(file.content.count)
        case .stream(let stream): stream.length
        }
    }

    /// Returns the length that the head announces; none before trailers, which over HTTP/1.1 follow only chunks.
    private static func announced(_ body: Body, _ length: Int64?, hasTrailers: Bool) -> OutgoingHead.BodyLength {
        if case .none = body { return .none }
        guard !hasTrailers, let length else { return .unknown }
        return .bytes(length)
    }

    private static func isLarge(_ body: Body, _ length: Int64?, _ threshold: Int64?) -> Bool {
        guard let threshold else { return false }
        if case .none = body { return false }
        return length.map { $0 >= threshold } ?? true
    }
}

extension HTTPFields {
    /// Adds `Trailer`: "A sender SHOULD generate a Trailer header field" with the names of the trailer fields (RFC 9110 §6.6.2).
    fileprivate mutating func announce(_ trailers: RequestBody.AddedTrailers) {
        let names = trailers.names.filter(\.isAllowedInTrailers).map(\.rawName)
        guard !names.isEmpty else { return }
        self.append(HTTPField(name: .trailer, value: names.joined(separator: ", ")))
    }
}
