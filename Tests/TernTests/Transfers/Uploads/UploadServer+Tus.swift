// SPDX-License-Identifier: Apache-2.0
import Crypto
import HTTPTypes
import TernFoundation
import TernTesting
import TernTransfers

/// The tus protocol 1.0.0, with the extensions Creation, Creation With Upload, Checksum and Termination.
extension UploadServer {
    private static let mediaType = "application/offset+octet-stream"

    func answerTus(_ exchange: Exchange) async throws -> Bool {
        switch exchange.request.method {
        case .head: try await self.locateTus(exchange)
        case .patch: try await self.appendTus(exchange)
        case .delete: try await self.cancel(exchange, exchange.tusFields)
        default: try await self.createTus(exchange)
        }
    }

    private func createTus(_ exchange: Exchange) async throws -> Bool {
        let (path, location) = self.create(exchange)
        let hasContent = exchange.request.fields[.contentType] == Self.mediaType
        guard try await self.receive(exchange, into: hasContent ? path : nil) else { return false }
        var fields = exchange.tusFields + [.location: location]
        if hasContent { fields[.uploadOffset] = "\(self.processIfComplete(path))" }
        return try await self.reply(exchange, .created, fields)
    }

    private func locateTus(_ exchange: Exchange) async throws -> Bool {
        guard let upload = self.uploads[exchange.path] else {
            return try await self.reply(exchange, .notFound, exchange.tusFields)
        }
        var fields = exchange.tusFields + [.uploadOffset: "\(upload.bytes.count)", .cacheControl: "no-store"]
        if let length = upload.length { fields[.uploadLength] = "\(length)" }
        return try await self.reply(exchange, .ok, fields)
    }

    private func appendTus(_ exchange: Exchange) async throws -> Bool {
        let request = exchange.request
        guard let upload = self.uploads[exchange.path], request.fields[.contentType] == Self.mediaType,
            request.fields[.uploadOffset] == "\(upload.bytes.count)"
        else {
            guard try await self.receive(exchange, into: nil) else { return false }
            let status: HTTPResponse.Status = self.uploads[exchange.path] == nil ? .notFound : .conflict
            return try await self.reply(exchange, status, exchange.tusFields)
        }
        guard let checksum = request.fields[.uploadChecksum] else {
            guard try await self.receive(exchange, into: exchange.path) else { return false }
            return try await self.acceptPart(exchange)
        }
        // A server keeps a part with a checksum only as a whole.
        guard try await self.receive(exchange, into: nil) else { return false }
        var part = self.requests[exchange.number].body
        if exchange.fault.damages, !part.isEmpty { part[0] ^= 1 }
        guard Self.checksum(of: part, like: checksum) == checksum else {
            let status = HTTPResponse.Status(code: 460, reasonPhrase: "Checksum Mismatch")
            return try await self.reply(exchange, status, exchange.tusFields)
        }
        let isOwner = self.update { [part] state in
            guard state.uploads[exchange.path]?.owner == exchange.number else { return false }
            state.uploads[exchange.path]?.bytes += part
            return true
        }
        guard isOwner else { return false }
        return try await self.acceptPart(exchange)
    }

    private func acceptPart(_ exchange: Exchange) async throws -> Bool {
        let count = self.processIfComplete(exchange.path)
        return try await self.reply(exchange, .noContent, exchange.tusFields + [.uploadOffset: "\(count)"])
    }

    /// Lets the resource process a file if all of it has arrived; returns the number of bytes.
    private func processIfComplete(_ path: String) -> Int {
        guard let upload = self.uploads[path] else { return 0 }
        return upload.bytes.count == upload.length ? self.process(path) : upload.bytes.count
    }

    /// Returns the value of `Upload-Checksum` for bytes, computed without the client's code.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - value: A value whose algorithm is used.
    /// - Returns: The value; `nil` if the algorithm is not known.
    static func checksum(of bytes: [UInt8], like value: String) -> String? {
        let name = value.prefix { $0 != " " }
        let hash: [UInt8]
        switch name {
        case "sha1": hash = Array(Insecure.SHA1.hash(data: bytes))
        case "sha256": hash = Array(SHA256.hash(data: bytes))
        case "sha512": hash = Array(SHA512.hash(data: bytes))
        case "md5": hash = Array(Insecure.MD5.hash(data: bytes))
        default: return nil
        }
        return "\(name) \(Data(hash).base64EncodedString())"
    }
}

extension UploadServer.Exchange {
    /// The fields of each response.
    fileprivate var tusFields: HTTPFields { [.tusResumable: self.fault.version ?? "1.0.0"] }
}
