// SPDX-License-Identifier: Apache-2.0

extension ContentDecoder {
    mutating func decodeAll(_ input: RawSpan, into output: inout OutputRawSpan) throws(ContentViolation) -> Progress {
        var consumed = 0
        while true {
            let rest = input.extracting(droppingFirst: consumed)
            let before = self.inflater.receivedByteCount
            let status = try self.step(rest, into: &output)
            consumed += Int(self.inflater.receivedByteCount - before)
            if let status { return Progress(consumedByteCount: consumed, status: status) }
        }
    }

    private mutating func step(_ input: RawSpan, into output: inout OutputRawSpan) throws(ContentViolation) -> Status? {
        if case .inside = self.state { return try self.inflate(input, into: &output) }
        guard !input.isEmpty else { return .needsInput }
        let byte = input.unsafeLoad(as: UInt8.self)
        switch self.state {
        case .start where self.coding == .deflate && ZlibHeader.canBegin(with: byte):
            self.state = .undecided(first: byte)
            self.inflater.receive(1)
        case .start:
            if self.coding == .deflate { self.readRaw() }
            self.state = .inside
        case .undecided(let first):
            if !ZlibHeader.isHeader(first, byte) { self.readRaw() }
            try self.give(first)
            self.state = .inside
        case .betweenMembers where byte == 0: self.state = .padding
        case .betweenMembers:
            guard byte == Self.firstByteOfMember else { throw .trailingData }
            self.inflater.base.reset()
            self.state = .inside
        case .padding:
            guard input.withUnsafeBytes({ $0.allSatisfy { $0 == 0 } }) else { throw .trailingData }
            self.inflater.receive(input.byteCount)
        case .ended(let ignorableByteCount):
            guard input.byteCount <= ignorableByteCount else { throw .trailingData }
            self.state = .ended(ignorableByteCount: ignorableByteCount - input.byteCount)
            self.inflater.receive(input.byteCount)
        case .inside: break  // handled above, because inflating can continue without input
        }
        return nil
    }

    private static var firstByteOfMember: UInt8 { 0x1F }

    private mutating func readRaw() {
        self.inflater.base.reset(to: .raw)
        self.isRaw = true
    }

    // MARK: Inflating

    private mutating func inflate(
        _ input: RawSpan,
        into output: inout OutputRawSpan
    ) throws(ContentViolation) -> Status? {
        switch try self.inflater.decompress(input, into: &output) {
        case .needsInput: return .needsInput
        case .needsOutput: return .needsOutput
        case .ended: self.end()
        case nil: break
        }
        return nil
    }

    private mutating func give(_ byte: UInt8) throws(ContentViolation) {
        _ = try self.inflater.probe(ContiguousArray([byte]).span.bytes)
    }

    private mutating func end() {
        switch self.coding {
        case .gzip: self.state = .betweenMembers
        case .deflate: self.state = .ended(ignorableByteCount: self.isRaw ? Self.ignorableByteCountAfterRawData : 0)
        }
    }

    /// Four, as in curl: some servers append the check value of the zlib format although they omit its header.
    private static var ignorableByteCountAfterRawData: Int { 4 }
}

enum ZlibHeader {
    /// Whether a zlib header can begin with a byte (RFC 1950 §2.2, CMF); in raw data, it would begin a stored block whose padding
    /// is not zero, which compressors do not write.
    static func canBegin(with first: UInt8) -> Bool { first & 0x0F == 8 && first >> 4 <= 7 }

    /// Whether two bytes are a zlib header: as one number, they must be a multiple of 31 (RFC 1950 §2.2, FCHECK).
    static func isHeader(_ first: UInt8, _ second: UInt8) -> Bool {
        self.canBegin(with: first) && (UInt16(first) << 8 | UInt16(second)) % 31 == 0
    }
}
