// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernDigests
import TernErrors
import TernFoundation
import TernRequests
import TernTransport

extension HTTPCall {
    /// The number of bytes to hash between two checks of the deadline, and at most on the caller's actor: a millisecond or less.
    private static let pieceByteCount = 256 << 10

    /// Adds the digest of the body that the request asks for: in the head for bytes in memory, otherwise in the trailers.
    mutating func addContentDigest() async throws(ClientError) {
        guard let algorithm = self.request.options.contentDigest, let body = self.request.body,
            !self.request.fields.contains(.contentDigest)
        else { return }
        guard case .data(let data) = body.content else {
            return self.request.body = body.followedByDigest(algorithm)
        }
        let field =
            data.count <= Self.pieceByteCount
            ? Self.digest(of: data, algorithm) : try await self.digest(of: data, algorithm)
        self.request.fields[.contentDigest] = field.text
    }

    private static func digest(of data: Data, _ algorithm: HashAlgorithm) -> DigestField {
        var hasher = ContentHasher([algorithm])
        data.withUnsafeBytes { hasher.update($0) }
        return hasher.finalize()
    }

    @concurrent
    private func digest(of data: Data, _ algorithm: HashAlgorithm) async throws(ClientError) -> DigestField {
        var hasher = ContentHasher([algorithm])
        var rest = data[...]
        while !rest.isEmpty {
            if Task.isCancelled { throw .cancelled(self.context(.prepare)) }
            try self.checkDeadline()
            let piece = rest.prefix(Self.pieceByteCount)
            piece.withUnsafeBytes { hasher.update($0) }
            rest = rest.dropFirst(piece.count)
        }
        return hasher.finalize()
    }
}

extension RequestBody {
    fileprivate func followedByDigest(_ algorithm: HashAlgorithm) -> RequestBody {
        self.trailers(announcing: [.contentDigest], into: ContentHasher([algorithm])) { hasher, piece in
            piece.withUnsafeBytes { hasher.update($0) }
        } finish: { hasher in
            [.contentDigest: hasher.finalize().text]
        }
    }
}
