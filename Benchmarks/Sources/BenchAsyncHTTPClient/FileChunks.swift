// SPDX-License-Identifier: Apache-2.0
internal import BenchSupport
internal import Glibc
internal import NIOCore

/// A file, which is read in chunks of 256 KiB when the connection asks for them.
final class FileChunks: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    /// The size of the file in bytes.
    let count: Int
    private let descriptor: CInt

    /// Opens the file at `path`.
    ///
    /// - Throws: ``UnexpectedAnswer`` if the file cannot be opened.
    init(_ path: String) throws {
        self.descriptor = open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard self.descriptor >= 0, fstat(self.descriptor, &status) == 0 else {
            throw UnexpectedAnswer("cannot open \(path)")
        }
        self.count = Int(status.st_size)
    }

    deinit { close(self.descriptor) }

    func makeAsyncIterator() -> Iterator { Iterator(chunks: self) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let chunks: FileChunks
        private let capacity = 256 << 10

        fileprivate init(chunks: FileChunks) { self.chunks = chunks }

        mutating func next() async throws -> ByteBuffer? {
            var buffer = ByteBufferAllocator().buffer(capacity: self.capacity)
            let count = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: self.capacity) { bytes in
                Swift.max(0, read(self.chunks.descriptor, bytes.baseAddress, bytes.count))
            }
            return count > 0 ? buffer : nil
        }
    }
}
