// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

/// Reads the field blocks of one connection, one after the other.
///
/// Servers often answer several requests with the same fields, and the blocks of these responses then have the same
/// bytes. The reader does not decode such a block again: the fields of the last block stay as they are, and the reader
/// only adds to the table of HPACK what the last block has added.
struct FieldBlockReader: Sendable {
    /// The length of the longest block that the reader remembers, in bytes.
    ///
    /// Few responses have more fields. The limit bounds the memory of a connection.
    static let maximumRememberedByteCount = 1024

    private var decoder: HPACKDecoder
    /// The fields of the last block.
    private(set) var lines: FieldLines
    /// The last block, if decoding it again would have the same result; otherwise empty.
    private var lastBlock: [UInt8] = []
    /// The head of the last response, if its block is remembered.
    private var head: HTTP2ResponseHead?

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - decoder: The decoder of the connection, which has not decoded any block.
    ///   - lines: An empty list.
    init(decoder: HPACKDecoder, lines: FieldLines) {
        (self.decoder, self.lines) = (decoder, lines)
    }

    /// The size of the reader's buffers, in bytes.
    var roomByteCount: Int { self.lines.roomByteCount + self.decoder.table.roomByteCount + self.lastBlock.capacity }

    /// Reads a whole block into ``lines``.
    ///
    /// - Throws: An ``HTTP2Violation`` that ends the connection. The reader cannot be used after that.
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

    /// Returns a response head with the fields of the last block.
    mutating func makeHead(statusCode: Int) -> HTTP2ResponseHead {
        if let head = self.head, head.statusCode == statusCode { return head }
        let head = HTTP2ResponseHead(statusCode: statusCode, self.lines)
        if !self.lastBlock.isEmpty { self.head = head }
        return head
    }
}
