// SPDX-License-Identifier: Apache-2.0
import NIOCore
package import TernConnections
package import TernErrors
package import TernFoundation
package import TernRequests

/// A sequence of bytes and files, in pieces that are read on demand, with one file open at a time.
///
/// The initializer measures every file. If a file is missing or changed when its turn comes, or cannot be read, the sequence throws
/// a `FileReadError`.
package struct FilePieces: AsyncSequence, Sendable {
    enum Segment: Sendable {
        case data(Data)
        case file(path: String, byteCount: Int64, part: RequestBody.FilePart?)
    }

    /// The number of bytes of a file that are in memory at a time.
    private static let pieceByteCount = 256 << 10

    private let segments: [Segment]

    package var byteCount: Int64 {
        self.segments.reduce(0) { sum, segment in
            switch segment {
            case .data(let data): sum + Int64(data.count)
            case .file(_, let byteCount, let part): sum + (part.map { Int64($0.range.count) } ?? byteCount)
            }
        }
    }

    package init(path: String, part: RequestBody.FilePart? = nil) throws(FileReadError) {
        self.segments = [try Self.segment(path: path, part: part)]
    }

    private static func segment(path: String, part: RequestBody.FilePart? = nil) throws(FileReadError) -> Segment {
        let file = try ReadableFile(path: path, part: part)
        return .file(path: path, byteCount: file.byteCount, part: part)
    }

    init(_ segments: [Multipart.Segment]) throws(FileReadError) {
        var measured: [Segment] = []
        for segment in segments {
            switch segment {
            case .data(let data): measured.append(.data(data))
            case .file(let url):
                measured.append(try Self.segment(path: url.path))
            }
        }
        self.segments = measured
    }

    package func makeAsyncIterator() -> Iterator { Iterator(self.segments) }

    package struct Iterator: AsyncIteratorProtocol {
        private var segments: ArraySlice<Segment>
        private var file: ReadableFile?
        /// The number of bytes that the current segment has delivered.
        private var offset: Int64 = 0

        init(_ segments: [Segment]) { self.segments = segments[...] }

        nonisolated(nonsending) public mutating func next() async throws -> Data? {
            while let segment = self.segments.first {
                switch segment {
                case .data(let data):
                    self.segments.removeFirst()
                    return data
                case .file(let path, let byteCount, let part):
                    if let piece = try await self.piece(of: path, byteCount, part) { return piece }
                    self.segments.removeFirst()
                }
            }
            return nil
        }

        nonisolated(nonsending) private mutating func piece(
            of path: String,
            _ byteCount: Int64,
            _ part: RequestBody.FilePart?
        ) async throws(FileReadError) -> Data? {
            let file: ReadableFile
            if let open = self.file { file = open } else { file = try await .opened(path: path, part: part) }
            self.file = file
            guard file.currentByteCount == byteCount, file.isUnchanged else { throw FileReadError(.fileChanged) }
            guard self.offset < Int64(file.content.count) else {
                self.file = nil
                self.offset = 0
                return nil
            }
            let count = Swift.min(FilePieces.pieceByteCount, Int(clamping: Int64(file.content.count) - self.offset))
            let bytes = try await file.read(byteCount: count, at: file.content.lowerBound + self.offset)
            self.offset += Int64(count)
            return bytes.withUnsafeReadableBytes { Data($0) }
        }
    }
}

@available(*, unavailable)
extension FilePieces.Iterator: Sendable {}

extension RequestBody.Stream {
    /// Creates a body for a form, and measures the form's files, which it reads while the body is sent.
    package init(_ multipart: Multipart, context: ClientError.Context) throws(ClientError) {
        let segments: [Multipart.Segment]
        do throws(RequestFailure) {
            segments = try multipart.segments()
        } catch {
            throw .invalidRequest(error, context)
        }
        let pieces: FilePieces
        do throws(FileReadError) {
            pieces = try FilePieces(segments)
        } catch {
            throw .uploadFailed(error.reason, context)
        }
        self.init(length: pieces.byteCount, isReplayable: true) { pieces }
    }
}
