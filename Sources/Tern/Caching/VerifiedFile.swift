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

    /// What became of a body.
    enum Outcome {
        case whole(ResponseBody)
        /// It is gone, or not what the record says.
        case altered
        /// It cannot be read now, for want of descriptors or by the disk's fault.
        case unavailable
    }

    /// Opens a body, and reads it once to see that it is what its record says.
    static func open(_ path: String, _ record: CacheRecord) async -> Outcome {
        do throws(FileReadFailure) {
            let file = try ReadableFile(path: path)
            guard file.byteCount == record.entry.bodyByteCount else { return .altered }
            var hasher = SHA256()
            var offset: Int64 = 0
            var piece = ByteBuffer()
            while offset < file.byteCount {
                let count = Int(min(Int64(Self.pieceByteCount), file.byteCount - offset))
                piece = try await file.read(byteCount: count, at: offset)
                piece.withUnsafeReadableBytes { hasher.update(bufferPointer: $0) }
                offset += Int64(count)
            }
            guard hasher.finalize().hexadecimal == record.bodyDigest else { return .altered }
            let isShort = file.byteCount <= Int64(Self.pieceByteCount)
            return .whole(isShort ? ResponseBody(piece) : ResponseBody(VerifiedFile(file)))
        } catch {
            switch error.reason {
            case .fileNotFound, .notAFile, .fileChanged: return .altered
            default: return .unavailable
            }
        }
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
