// SPDX-License-Identifier: Apache-2.0
import NIOCore
import Synchronization
import TernAuthentication
import TernConnections
import TernErrors
import TernFoundation
import TernRequests
import TernTransport

/// Hashes the body of a request for Digest authentication with `auth-int`, which protects the body (RFC 7616 §3.4.3).
enum BodyDigest {
    /// The number of bytes of a file to hold in memory at a time.
    private static let pieceByteCount = 256 << 10

    static func hash(
        of body: RequestBody?,
        by active: ActiveCredential,
        for call: HTTPCall
    ) async throws(ClientError) -> String? {
        guard let hasher = active.bodyHasher else { return nil }
        // The server demands this hash, so read the whole body. That may take long, so stop when the call ends.
        let result = try await Bounded.run(for: call) { () -> Result<String, ClientError> in
            do throws(ClientError) {
                return .success(try await self.hash(of: body, hasher, call))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func hash(
        of body: RequestBody?,
        _ hasher: BodyHasher,
        _ call: HTTPCall
    ) async throws(ClientError) -> String {
        var hasher = hasher
        switch body?.content {
        case .data(let data)?: data.withUnsafeBytes { hasher.update($0) }
        case .file(let url)?:
            try await self.update(&hasher, withFileAt: url.path, part: body?.filePart, call)
        case .stream(let stream)?: try await self.update(&hasher, with: stream, call)
        case .multipart(let multipart)?:
            let stream = try RequestBody.Stream(multipart, context: call.context(.authenticate))
            try await self.update(&hasher, with: stream, call)
        case nil: break
        }
        return hasher.finalize()
    }

    private static func update(
        _ hasher: inout BodyHasher,
        withFileAt path: String,
        part: RequestBody.FilePart?,
        _ call: HTTPCall
    ) async throws(ClientError) {
        do throws(FileReadError) {
            let file = try await ReadableFile.opened(path: path, part: part)
            var offset = file.content.lowerBound
            while offset < file.content.upperBound, !Task.isCancelled {
                let count = min(self.pieceByteCount, Int(file.content.upperBound - offset))
                let bytes = try await file.read(byteCount: count, at: offset)
                bytes.withUnsafeReadableBytes { hasher.update($0) }
                offset += Int64(bytes.readableBytes)
            }
        } catch {
            throw .uploadFailed(error.reason, call.context(.authenticate))
        }
    }

    /// Hashes a stream, which the client must be able to read again to send it.
    private static func update(
        _ hasher: inout BodyHasher,
        with stream: RequestBody.Stream,
        _ call: HTTPCall
    ) async throws(ClientError) {
        guard stream.isReplayable else { throw .uploadFailed(.notReplayable, call.context(.authenticate)) }
        do {
            let reader = stream.makeReader()
            while let piece = try await reader.next() {
                guard !Task.isCancelled else { throw ClientError.cancelled(call.context(.authenticate)) }
                piece.withUnsafeBytes { hasher.update($0) }
            }
        } catch let error as ClientError {
            throw error
        } catch let error as FileReadError {
            throw .uploadFailed(error.reason, call.context(.authenticate))
        } catch {
            throw .uploadFailed(.streamFailed(type: "\(type(of: error))"), call.context(.authenticate))
        }
    }
}

/// Hashes the body of a response, and then checks the server's proof that it knows the password (`auth-int`, RFC 7616 §3.5).
private struct ProofCheck: BodyTransform {
    var hasher: BodyHasher
    let check: @Sendable (_ hash: String) throws(ClientError) -> Void

    mutating func next(_ input: BodyInput, atLeast byteCount: Int) throws(ClientError) -> BodyStep {
        switch input {
        case .none: return .read(atLeast: byteCount)
        case .bytes(let bytes):
            bytes.withUnsafeReadableBytes { self.hasher.update($0) }
            return .output(bytes)
        case .end:
            try self.check(self.hasher.finalize())
            return .end
        }
    }
}

extension ResponseBody {
    /// Returns the same body, with a check of the server's proof at the end; a body in memory is checked at once.
    func verified(
        _ hasher: BodyHasher,
        for call: HTTPCall,
        _ check: @escaping @Sendable (_ hash: String) throws(ClientError) -> Void
    ) throws(ClientError) -> ResponseBody {
        guard let whole = self.whole else {
            return self.transformed(by: ProofCheck(hasher: hasher, check: check), length: self.length, for: call)
        }
        var hasher = hasher
        whole.withUnsafeReadableBytes { hasher.update($0) }
        try check(hasher.finalize())
        return self
    }
}
