// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernTesting
import TernTransfers
import TestSupport
import Testing

/// A server that receives files by the protocols of resumable uploads, byte by byte, over connections in memory.
///
/// The fields of a request choose the protocol: interop version 6 or 8 of the IETF's draft, or tus 1.0.0. A request
/// with another method than HEAD, PATCH and DELETE creates an upload.
final class UploadServer: Sendable {
    /// An upload, as far as its content has arrived.
    struct Upload: Sendable {
        var bytes: [UInt8] = []
        /// The length that the client has announced.
        var length: Int?
        var isComplete = false
        /// The number of the last request for this upload, the only one that may still append content.
        ///
        /// Bytes of an earlier request may still arrive after the client has cancelled that request. The server drops
        /// them, because it has told the client a length without them, or is about to.
        var owner: Int
    }

    struct State: Sendable {
        var faults: ArraySlice<UploadFault>
        var requests: [ReceivedRequest] = []
        var uploads: [String: Upload] = [:]
        var uploadCount = 0
        var files: [[UInt8]] = []
        var stopCount = 0
    }

    /// One request, and the connection for its answer.
    struct Exchange: Sendable {
        /// The number of the request, from 0.
        let number: Int
        let request: ReceivedRequest
        let fault: UploadFault
        let connection: ServerConnection

        var path: String { self.request.path }
        var contentLength: Int { self.request.fields[.contentLength].flatMap { Int($0) } ?? 0 }
    }

    /// The status of the resource's answer when it has processed a file.
    let status: HTTPResponse.Status
    /// The body of that answer.
    let body: String
    private let last: UploadFault
    private let state: Observed<State>

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - faults: The fault of each request, in order. Defaults to none.
    ///   - last: The fault of later requests. Defaults to none.
    ///   - status: The status of the resource's answer. Defaults to 201.
    ///   - body: The body of the resource's answer. Defaults to `stored`.
    init(
        _ faults: [UploadFault] = [],
        later last: UploadFault = .none,
        status: HTTPResponse.Status = .created,
        body: String = "stored"
    ) {
        (self.last, self.status, self.body) = (last, status, body)
        self.state = Observed(State(faults: faults[...]))
    }

    /// The requests so far, with the content that has arrived.
    var requests: [ReceivedRequest] { self.state.value.requests }
    /// The files that the resource has processed.
    var files: [[UInt8]] { self.state.value.files }
    /// The uploads that the server knows, by their paths.
    var uploads: [String: Upload] { self.state.value.uploads }

    /// Replaces the faults of the next requests.
    func plan(_ faults: UploadFault...) { self.state.update { $0.faults = faults[...] } }

    /// Waits until a number of requests have arrived.
    func waitForRequests(_ count: Int) async { await self.state.wait { $0.requests.count >= count } }

    /// Waits until the server has stalled or held a number of requests.
    func waitForStops(_ count: Int = 1) async { await self.state.wait { $0.stopCount >= count } }

    func update<Result: Sendable>(_ change: (inout State) -> Result) -> Result { self.state.update(change) }

    // MARK: Serving

    /// Answers the requests on a connection.
    func serve(_ connection: ServerConnection) async throws {
        while let request = try await connection.readHead() {
            let (number, fault) = self.update { state in
                let number = state.requests.count
                state.requests.append(request)
                state.uploads[request.path]?.owner = number
                return (number, state.faults.popFirst() ?? self.last)
            }
            let exchange = Exchange(number: number, request: request, fault: fault, connection: connection)
            guard try await self.answer(exchange) else { return }
        }
    }

    private func answer(_ exchange: Exchange) async throws -> Bool {
        let fault = exchange.fault
        try await fault.before?()
        self.update { state in
            if fault.forgets { state.uploads = [:] }
            guard let count = fault.keptByteCount else { return }
            for path in state.uploads.keys { state.uploads[path]?.bytes.removeLast(from: count) }
        }
        if let response = fault.response {
            if !fault.answersEarly {
                guard try await self.receive(exchange, into: nil) else { return false }
            }
            return try await exchange.connection.send(response, to: exchange.request.method)
        }
        if exchange.request.fields.contains(.tusResumable), !fault.isPlain { return try await self.answerTus(exchange) }
        if !fault.isPlain, let version = exchange.request.fields[.uploadDraftInteropVersion] {
            return try await self.answerDraft(exchange, version)
        }
        guard try await self.receive(exchange, into: nil) else { return false }
        self.update { $0.files.append($0.requests[exchange.number].body) }
        return try await self.reply(exchange, self.status, [:], self.body)
    }

    /// Sends a final response, if the fault allows; returns whether the connection is open for another request.
    func reply(
        _ exchange: Exchange,
        _ status: HTTPResponse.Status,
        _ fields: HTTPFields,
        _ body: String = ""
    ) async throws -> Bool {
        if exchange.fault.losesAnswer { return false }
        if case .cut? = exchange.fault.stop?.action { return false }
        let response = ScriptedResponse.response(status, fields: fields, body: body)
        return try await exchange.connection.send(response, to: exchange.request.method)
    }

    // MARK: Content

    /// Receives the content of a request; returns whether all of it has arrived.
    ///
    /// - Parameters:
    ///   - exchange: The request.
    ///   - path: The upload that keeps each byte as soon as it arrives; `nil` for none.
    /// - Returns: `false` if the exchange is over.
    /// - Throws: An error of the connection.
    func receive(_ exchange: Exchange, into path: String?) async throws -> Bool {
        let length = exchange.contentLength
        if exchange.request.fields[.expect] != nil {
            try await exchange.connection.write("HTTP/1.1 100 Continue\r\n\r\n")
        }
        var count = 0
        var stop = exchange.fault.stop
        var unread: ArraySlice<UInt8> = []
        while true {
            if let (place, action) = stop, count >= min(place, length) {
                stop = nil
                switch action {
                case .cut where count < length: return false
                case .cut: break
                case .stall:
                    try await self.stop(exchange, path)
                    await exchange.connection.waitForEnd()
                    return false
                case .hold(let flag):
                    try await self.stop(exchange, path)
                    await flag.wait()
                }
            }
            guard count < length else { return true }
            if unread.isEmpty {
                guard let bytes = try await exchange.connection.read() else { return false }
                unread = bytes[...]
            }
            let piece = unread.prefix((stop.map { min($0.byteCount, length) } ?? length) - count)
            unread = unread.dropFirst(piece.count)
            count += piece.count
            let isOwner = self.update { state in
                if let path, let upload = state.uploads[path], upload.owner != exchange.number { return false }
                state.requests[exchange.number].body += piece
                if let path { state.uploads[path]?.bytes += piece }
                return true
            }
            guard isOwner else { return false }
        }
    }

    private func stop(_ exchange: Exchange, _ path: String?) async throws {
        if let path { try await self.acknowledge(exchange, path) }
        self.update { $0.stopCount += 1 }
    }
}

extension ReceivedRequest {
    /// The target without its query.
    fileprivate var path: String { String(self.target.prefix { $0 != "?" }) }
}

extension [UInt8] {
    /// Removes the bytes from a position on, if there are any.
    fileprivate mutating func removeLast(from position: Int) { self.removeLast(Swift.max(0, self.count - position)) }
}
