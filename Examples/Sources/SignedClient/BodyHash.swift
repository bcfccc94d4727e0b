// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import Tern

/// Computes the SHA-256 of a body before the client sends it.
enum BodyHash {
    /// The client reads the body only while it sends it, so the body cannot be hashed in advance.
    struct UnknownBody: Error, CustomStringConvertible {
        var description: String { "This body cannot be signed: give it as data or as a file." }
    }

    static func of(_ body: RequestBody?) throws -> String {
        switch body?.content {
        case nil: SignatureV4.hash(Data())
        case .data(let data): SignatureV4.hash(data)
        case .file(let url): try Self.of(url)
        case .multipart(let parts) where !parts.hasFiles: SignatureV4.hash(try parts.encode())
        default: throw UnknownBody()
        }
    }

    /// Hashes a file of any length, with one piece in memory at a time.
    private static func of(_ file: URL) throws -> String {
        var hasher = SHA256()
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        while let piece = try handle.read(upToCount: 256 << 10), !piece.isEmpty { hasher.update(data: piece) }
        return SignatureV4.hexadecimal(hasher.finalize())
    }
}
