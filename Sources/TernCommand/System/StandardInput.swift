// SPDX-License-Identifier: Apache-2.0
import Dispatch
import TernFoundation

/// The input on a descriptor as a sequence of pieces, each of which is read when the loop asks for it.
struct StandardInput: AsyncSequence, Sendable {
    typealias Element = Data

    private static let pieceByteCount = 64 << 10

    private let descriptor: CInt

    init(descriptor: CInt = System.standardInput) { self.descriptor = descriptor }

    func makeAsyncIterator() -> Iterator { Iterator(descriptor: self.descriptor) }

    struct Iterator: AsyncIteratorProtocol {
        let descriptor: CInt
        private let queue = DispatchQueue(label: "tern-cli.input")

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

/// Splits bytes into lines of text, which end with LF or CR LF.
struct LineSplitter: Sendable {
    private let maximumLineByteCount: Int
    private var rest: [UInt8] = []

    /// Limits the length of a line, so that input without line breaks cannot fill the memory.
    init(maximumLineByteCount: Int = 64 << 20) { self.maximumLineByteCount = maximumLineByteCount }

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
