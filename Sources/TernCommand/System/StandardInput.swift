// SPDX-License-Identifier: Apache-2.0
import Dispatch
import TernFoundation

/// The input on a descriptor, normally standard input, as a sequence of pieces.
///
/// It reads a piece when the loop asks for one.
struct StandardInput: AsyncSequence, Sendable {
    typealias Element = Data

    private static let pieceByteCount = 64 << 10

    private let descriptor: CInt

    init(descriptor: CInt = System.standardInput) { self.descriptor = descriptor }

    func makeAsyncIterator() -> Iterator { Iterator(descriptor: self.descriptor) }

    struct Iterator: AsyncIteratorProtocol {
        let descriptor: CInt
        private let queue = DispatchQueue(label: "tern-cli.input")

        /// Returns the next piece; `nil` at the end.
        mutating func next() async throws -> Data? {
            let descriptor = self.descriptor
            let result = await withUnsafeContinuation { continuation in
                self.queue.async {
                    continuation.resume(
                        returning: Result { () throws(InputFailure) in
                            try System.read(from: descriptor, upTo: StandardInput.pieceByteCount)
                        }
                    )
                }
            }
            let bytes = try result.get()
            return bytes.isEmpty ? nil : Data(bytes)
        }
    }
}

/// Splits bytes into lines of text.
///
/// A line ends with LF or CR LF; the last one may have no line ending.
struct LineSplitter: Sendable {
    private let maximumLineByteCount: Int
    private var rest: [UInt8] = []

    /// Creates a splitter.
    ///
    /// - Parameter maximumLineByteCount: The maximum length of a line, in bytes. Defaults to 64 MiB, so that input
    ///   without line breaks cannot fill the memory.
    init(maximumLineByteCount: Int = 64 << 20) { self.maximumLineByteCount = maximumLineByteCount }

    /// Adds a piece of the input.
    ///
    /// - Returns: The lines that end in this piece.
    /// - Throws: `CommandFailure` when a line is not UTF-8, or too long.
    mutating func add(_ piece: some Collection<UInt8>) throws -> [String] {
        let searched = self.rest.count
        self.rest.append(contentsOf: piece)
        var lines: [String] = []
        var start = 0
        var search = searched
        while let end = self.rest[search...].firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(try Self.text(self.rest[start..<end]))
            start = end + 1
            search = start
        }
        self.rest.removeFirst(start)
        guard self.rest.count <= self.maximumLineByteCount else {
            throw CommandFailure(
                outcome: .uploadFailed,
                message: "a line of the input is longer than \(NumberFormat.bytes(Int64(self.maximumLineByteCount))); "
                    + "use 'tern-cli websocket --binary' to send input of any length"
            )
        }
        return lines
    }

    /// Ends the input.
    ///
    /// - Returns: The last line, if it had no line ending.
    /// - Throws: `CommandFailure` when the last line is not UTF-8.
    mutating func finish() throws -> String? {
        defer { self.rest = [] }
        return self.rest.isEmpty ? nil : try Self.text(self.rest[...])
    }

    private static func text(_ bytes: ArraySlice<UInt8>) throws -> String {
        let line = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
        // RFC 6455 §5.6: a text message is UTF-8.
        guard let text = String(validating: line, as: UTF8.self) else {
            throw CommandFailure(
                outcome: .uploadFailed,
                message: "a line of the input is not UTF-8; use 'tern-cli websocket --binary' to send it unchanged"
            )
        }
        return text
    }
}
