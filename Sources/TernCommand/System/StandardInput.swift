// SPDX-License-Identifier: Apache-2.0
import Dispatch

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What comes in on a descriptor, normally standard input, in pieces, read when it is asked for.
struct StandardInput: AsyncSequence, Sendable {
    typealias Element = Data

    private static let pieceByteCount = 64 << 10

    private let descriptor: CInt

    init(descriptor: CInt = System.standardInput) { self.descriptor = descriptor }

    func makeAsyncIterator() -> Iterator { Iterator(descriptor: self.descriptor) }

    struct Iterator: AsyncIteratorProtocol {
        let descriptor: CInt
        private let queue = DispatchQueue(label: "tern-cli.input")

        /// The next piece; `nil` at the end.
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
