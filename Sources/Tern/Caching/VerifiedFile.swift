// SPDX-License-Identifier: Apache-2.0
import Crypto
import NIOCore
import Synchronization
import TernErrors
import TernTransport

/// A body in a file that was checked as a whole before the first byte of it is given.
///
/// Nobody writes to a file in its place, so that what was checked is what is read: the same open file, though its name may
/// be gone meanwhile.
final class VerifiedFile: ResponseBodySource {
    /// What is read at a time; a shorter body is given whole.
    private static let pieceByteCount = 256 << 10

    let length: Int64?

    private let file: ReadableFile
    private let offset = Mutex<Int64>(0)

    private init(_ file: ReadableFile) {
        self.file = file
        self.length = file.byteCount
    }

    /// - Returns: `nil` if the file is not there, or not what the record says.
    static func body(_ path: String, _ record: CacheRecord) async -> ResponseBody? {
        guard let file = try? ReadableFile(path: path), file.byteCount == record.entry.bodyByteCount else { return nil }
        var hasher = SHA256()
        var offset: Int64 = 0
        var piece = ByteBuffer()
        while offset < file.byteCount {
            let count = Int(min(Int64(Self.pieceByteCount), file.byteCount - offset))
            guard let bytes = try? await file.read(byteCount: count, at: offset) else { return nil }
            bytes.withUnsafeReadableBytes { hasher.update(bufferPointer: $0) }
            piece = bytes
            offset += Int64(count)
        }
        guard hasher.finalize().hexadecimal == record.bodyDigest else { return nil }
        return file.byteCount <= Int64(Self.pieceByteCount) ? ResponseBody(piece) : ResponseBody(VerifiedFile(file))
    }

    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        let (start, count) = self.offset.withLock { offset in
            let count = min(Int64(Self.pieceByteCount), self.file.byteCount - offset)
            defer { offset += count }
            return (offset, Int(count))
        }
        guard count > 0 else { return nil }
        do throws(FileReadFailure) {
            return try await self.file.read(byteCount: count, at: start)
        } catch {
            self.offset.withLock { $0 = self.file.byteCount }
            throw .truncated(received: start, expected: self.length, ClientError.Context(phase: .body))
        }
    }
}
