// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

/// Reads the field blocks of one connection, one after the other.
///
/// A block with the same bytes as the last one, as servers often send, is not decoded again: the fields stay as they are, and the
/// table of HPACK gets what the last block has added.
struct FieldBlockReader: Sendable {
    /// The length of the longest block that the reader remembers, in bytes; this bounds the memory of a connection.
    static let maximumRememberedByteCount = 1024

    private var decoder: HPACKDecoder
    private(set) var lines: FieldLines
    /// The last block, if decoding it again would have the same result; otherwise empty.
    private var lastBlock: [UInt8] = []
    private var head: HTTP2ResponseHead?

    init(decoder: HPACKDecoder, lines: FieldLines) {
        (self.decoder, self.lines) = (decoder, lines)
    }

    var roomByteCount: Int { self.lines.roomByteCount + self.decoder.table.roomByteCount + self.lastBlock.capacity }

    /// Reads a whole block into ``lines``; after an error, the reader cannot be used.
    mutating func read(_ block: ByteView) throws(HTTP2Violation) {
        if block.count > 0, self.lastBlock.withUnsafeBytes({ block.equals($0) }) {
            return self.decoder.repeatLastBlock(from: self.lines)
        }
        self.lastBlock.removeAll(keepingCapacity: true)
        self.head = nil
        self.lines.removeAll()
        try self.decoder.decode(block, into: &self.lines)
        guard self.decoder.isLastBlockRepeatable, self.lines.fault == nil else { return }
        guard block.count <= Self.maximumRememberedByteCount else { return }
        self.lastBlock.append(contentsOf: block.part(0..<block.count))
    }

    mutating func makeHead(statusCode: Int) -> HTTP2ResponseHead {
        if let head = self.head, head.statusCode == statusCode { return head }
        let head = HTTP2ResponseHead(statusCode: statusCode, self.lines)
        if !self.lastBlock.isEmpty { self.head = head }
        return head
    }
}
