// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernFoundation
import TernTesting
import TernTransfers

/// The IETF's draft "Resumable Uploads for HTTP", in the interop versions 6 and 8.
extension UploadServer {
    func answerDraft(_ exchange: Exchange, _ version: String) async throws -> Bool {
        switch exchange.request.method {
        case .head: try await self.locateDraft(exchange)
        case .patch: try await self.appendDraft(exchange, version)
        case .delete: try await self.cancel(exchange, [:])
        default: try await self.createDraft(exchange, version)
        }
    }

    /// Creates an upload; returns its path, and the value of `Location`.
    func create(_ exchange: Exchange) -> (path: String, location: String) {
        self.update { state in
            state.uploadCount += 1
            let location = exchange.fault.location ?? "/uploads/\(state.uploadCount)"
            let path = URL(string: location)?.path ?? location
            let length = exchange.request.fields[.uploadLength].flatMap { Int($0) }
            state.uploads[path] = Upload(length: length, owner: exchange.number)
            return (path, location)
        }
    }

    private func createDraft(_ exchange: Exchange, _ version: String) async throws -> Bool {
        let (path, location) = self.create(exchange)
        if exchange.fault.announces { try await self.inform(exchange, version, [.location: location]) }
        guard try await self.receive(exchange, into: path) else { return false }
        if exchange.completes { return try await self.complete(exchange, path, version) }
        let count = self.uploads[path]?.bytes.count ?? 0
        let fields: HTTPFields = [.location: location, .uploadComplete: "?0", .uploadOffset: "\(count)"]
        return try await self.reply(exchange, .created, fields + exchange.limits)
    }

    private func locateDraft(_ exchange: Exchange) async throws -> Bool {
        guard let upload = self.uploads[exchange.path] else { return try await self.reply(exchange, .notFound, [:]) }
        var fields: HTTPFields = [
            .uploadOffset: "\(upload.bytes.count)", .uploadComplete: upload.isComplete ? "?1" : "?0",
            .cacheControl: "no-store",
        ]
        if let length = upload.length { fields[.uploadLength] = "\(length)" }
        return try await self.reply(exchange, .noContent, fields + exchange.limits)
    }

    private func appendDraft(_ exchange: Exchange, _ version: String) async throws -> Bool {
        guard let upload = self.uploads[exchange.path] else {
            guard try await self.receive(exchange, into: nil) else { return false }
            return try await self.reply(exchange, .notFound, [:])
        }
        let request = exchange.request
        guard request.fields[.contentType] == "application/partial-upload", !upload.isComplete,
            request.fields[.uploadOffset] == "\(upload.bytes.count)"
        else {
            guard try await self.receive(exchange, into: nil) else { return false }
            let fields: HTTPFields = [
                .uploadOffset: "\(upload.bytes.count)", .uploadComplete: upload.isComplete ? "?1" : "?0",
            ]
            return try await self.reply(exchange, .conflict, fields)
        }
        guard try await self.receive(exchange, into: exchange.path) else { return false }
        if exchange.completes { return try await self.complete(exchange, exchange.path, version) }
        let count = self.uploads[exchange.path]?.bytes.count ?? 0
        // Version 8 does not repeat the offset in the response.
        let offset: HTTPFields = version == "6" ? [.uploadOffset: "\(count)"] : [:]
        return try await self.reply(exchange, .noContent, [.uploadComplete: "?0"] + offset)
    }

    /// Lets the resource process a file, and sends the resource's answer.
    private func complete(_ exchange: Exchange, _ path: String, _ version: String) async throws -> Bool {
        let count = self.process(path)
        let fields: HTTPFields = version == "6" ? [.uploadOffset: "\(count)"] : [.uploadComplete: "?1"]
        return try await self.reply(exchange, self.status, fields, self.body)
    }

    /// Lets the resource process a file; returns its length.
    func process(_ path: String) -> Int {
        self.update { state in
            let bytes = state.uploads[path]?.bytes ?? []
            state.uploads[path]?.isComplete = true
            state.files.append(bytes)
            return bytes.count
        }
    }

    /// Forgets an upload.
    func cancel(_ exchange: Exchange, _ fields: HTTPFields) async throws -> Bool {
        let upload = self.update { $0.uploads.removeValue(forKey: exchange.path) }
        return try await self.reply(exchange, upload == nil ? .notFound : .noContent, fields)
    }

    // MARK: Informational responses

    /// Tells the client the number of bytes that have arrived, if the protocol has a way.
    func acknowledge(_ exchange: Exchange, _ path: String) async throws {
        guard exchange.fault.announces, let version = exchange.request.fields[.uploadDraftInteropVersion]
        else { return }
        let count = self.uploads[path]?.bytes.count ?? 0
        try await self.inform(exchange, version, [.uploadOffset: "\(count)"])
    }

    private func inform(_ exchange: Exchange, _ version: String, _ fields: HTTPFields) async throws {
        let all: HTTPFields = [.uploadDraftInteropVersion: exchange.fault.version ?? version] + exchange.limits + fields
        let lines = all.map { "\($0.name.rawName): \($0.value)\r\n" }.joined()
        try await exchange.connection.write("HTTP/1.1 104 Upload Resumption Supported\r\n\(lines)\r\n")
    }
}

extension UploadServer.Exchange {
    /// Whether the content of the request is the rest of the file.
    fileprivate var completes: Bool { self.request.fields[.uploadComplete] == "?1" }

    /// The limits of the server, as a field.
    fileprivate var limits: HTTPFields { self.fault.limits.map { [.uploadLimit: $0] } ?? [:] }
}
