// SPDX-License-Identifier: Apache-2.0
import Foundation
import TernHTTP2
import TestSupport
import Testing

/// The field blocks of a connection, decoded by hpack for Python (MIT licence).
@Suite("HPACK for the decoder of another implementation", .hangLimit)
struct HPACKOtherDecoderTests {
    private struct Block: Encodable, Sendable {
        var block: String
        var tableByteCount: Int
    }

    private struct Field: Codable, Equatable, Sendable {
        var name: String
        var value: String
        var mayBeIndexed: Bool
    }

    /// The blocks that the encoder wrote, and the fields that it was given.
    private struct Conversation: Sendable {
        var blocks: [Block] = []
        var fields: [[Field]] = []
        /// The number of values that are in a block as they are, in Huffman codes, and as an index of a table.
        var plainCount = 0
        var huffmanCount = 0
        var indexedCount = 0
        var neverIndexedCount = 0

        private var encoder = HPACKEncoder()
        private var generator: SeededGenerator

        init(seed: UInt64) { self.generator = SeededGenerator(seed: seed) }

        mutating func append(tableByteCount: Int) {
            let fields = (0..<Int.random(in: 1...12, using: &self.generator)).map { _ in self.makeField() }
            var output: [UInt8] = []
            self.encoder.beginBlock(into: &output)
            for field in fields {
                let start = output.count
                Array(field.name.utf8).withUnsafeBytes { name in
                    Array(field.value.utf8).withUnsafeBytes { value in
                        let indexing: HPACKEncoder.Indexing = field.mayBeIndexed ? .incremental : .never
                        self.encoder.encode(name: name, value: value, indexing, into: &output)
                    }
                }
                if !field.mayBeIndexed { self.neverIndexedCount += 1 }
                self.count(output[start...], field)
            }
            let digits = output.map { byte in
                let text = String(byte, radix: 16)
                return text.count == 1 ? "0" + text : text
            }
            self.blocks.append(Block(block: digits.joined(), tableByteCount: tableByteCount))
            self.fields.append(fields)
        }

        private mutating func count(_ output: ArraySlice<UInt8>, _ field: Field) {
            guard !field.value.isEmpty else { return }
            if output.first ?? 0 >= 0x80 {
                self.indexedCount += 1
            } else if output.suffix(field.value.utf8.count).elementsEqual(field.value.utf8) {
                self.plainCount += 1
            } else {
                self.huffmanCount += 1
            }
        }

        mutating func allow(tableByteCount: Int) { self.encoder.peerAllows(tableByteCount: tableByteCount) }

        mutating func randomSize() -> Int { Int.random(in: 0...5000, using: &self.generator) }

        /// Returns a field with one of a few names, so that names and whole fields repeat.
        ///
        /// Some values are shorter with Huffman codes, others are not.
        private mutating func makeField() -> Field {
            let names = [
                "accept", "cookie", "date", ":path", "user-agent",
                "x-\(UInt8.random(in: 0...30, using: &self.generator))",
            ]
            let name = names[Int.random(in: 0..<names.count, using: &self.generator)]
            let number = Int.random(in: 0...40, using: &self.generator)
            let value =
                switch number % 4 {
                case 0: String(repeating: "\u{7F}~^", count: number)
                case 1: String(repeating: "text/\(number) ", count: number)
                case 2: String(repeating: "é\(number)", count: number * 4)
                default: "\(number)"
                }
            return Field(name: name, value: value, mayBeIndexed: !Bool.random(using: &self.generator) || number > 8)
        }
    }

    @Test(arguments: [7541, 9113, 1] as [UInt64])
    func `every field comes back, also with evictions and other sizes of the table`(seed: UInt64) throws {
        var conversation = Conversation(seed: seed)
        var tableByteCount = 4096
        for number in 0..<300 {
            if number % 40 == 39 {
                // Of several sizes, the block begins with the smallest and the last.
                for _ in 0..<(number % 3 + 1) {
                    tableByteCount = conversation.randomSize()
                    conversation.allow(tableByteCount: tableByteCount)
                }
            }
            conversation.append(tableByteCount: tableByteCount)
        }
        let folder = try TemporaryFolder()
        try folder.write(String(decoding: try JSONEncoder().encode(conversation.blocks), as: UTF8.self), to: "blocks")
        try PeerProcess.run(
            Scripts.python,
            ["-B", Scripts.path("hpack_decode.py"), "blocks", "fields"],
            in: folder.url
        )
        let fields = try JSONDecoder().decode([[Field]].self, from: Data(folder.text(of: "fields").utf8))
        #expect(fields.count == conversation.fields.count)
        for (decoded, encoded) in zip(fields, conversation.fields) { #expect(decoded == encoded) }
        #expect(conversation.neverIndexedCount > 50)
        #expect(conversation.plainCount > 50)
        #expect(conversation.huffmanCount > 50)
        #expect(conversation.indexedCount > 50)
    }
}
