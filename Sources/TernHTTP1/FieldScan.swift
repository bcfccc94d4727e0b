// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

/// Finds the field lines of a section in one pass, and checks each when its LF has arrived, however the network split the bytes.
struct FieldScan: Sendable {
    private struct LastField {
        var name: Range<Int>
        var value: Range<Int>
        var deviations: FieldLine.Deviations
    }

    /// The start of the current line; when the scan is complete, the first offset after the section.
    private(set) var lineStart: Int
    private(set) var searchedEnd: Int
    /// The number of fields found, including those that ``section(_:from:)`` drops.
    private(set) var count = 0
    private(set) var framing = FramingFields()
    private(set) var deviations: FieldLine.Deviations = []

    private let start: Int
    private var end = 0
    private var lastField: LastField?

    init(start: Int = 0) { (self.start, self.lineStart, self.searchedEnd) = (start, start, start) }

    /// Reads lines up to the empty line, but not beyond `end`; returns whether the empty line has arrived.
    mutating func scan(_ bytes: ByteView, to end: Int, maximumCount: Int) throws(HTTP1Violation) -> Bool {
        while true {
            // Continue the search in an incomplete line instead of reading it again.
            if self.searchedEnd > self.lineStart, bytes.firstLineFeed(from: self.searchedEnd, to: end) == nil {
                self.searchedEnd = end
                return false
            }
            let mayContinue = self.lastField != nil
            switch try FieldLine.read(bytes, from: self.lineStart, to: end, mayContinue: mayContinue) {
            case .incomplete:
                self.searchedEnd = end
                return false
            case .last(let next, let deviations):
                self.noticeLastField(bytes)
                self.deviations.formUnion(deviations)
                (self.end, self.lineStart) = (self.lineStart, next)
                return true
            case .field(let name, let value, let next, let deviations):
                guard self.count < maximumCount else { throw .tooManyFields(limit: maximumCount) }
                self.noticeLastField(bytes)
                self.count += 1
                self.lastField = LastField(name: name, value: value, deviations: deviations)
                self.deviations.formUnion(deviations)
                (self.lineStart, self.searchedEnd) = (next, next)
            case .continuation(let valueEnd, let next, let deviations):
                if let field = self.lastField {
                    let deviations = field.deviations.union(deviations).union(.folded)
                    let value = field.value.lowerBound..<valueEnd
                    self.lastField = LastField(name: field.name, value: value, deviations: deviations)
                    self.deviations.formUnion(deviations)
                }
                (self.lineStart, self.searchedEnd) = (next, next)
            }
        }
    }

    private mutating func noticeLastField(_ bytes: ByteView) {
        guard let field = self.lastField, !field.deviations.contains(.invalidName) else { return }
        self.framing.notice(bytes, name: field.name, value: field.value, field.deviations)
    }

    /// Returns the fields whose name is a token; the bytes from `prefixStart` to the first field line become the prefix.
    func section(_ bytes: ByteView, from prefixStart: Int) -> FieldSection {
        var storage = prefixStart < self.end ? bytes.copy(prefixStart..<self.end) : []
        let start = self.start - prefixStart
        if !self.deviations.isDisjoint(with: [.folded, .blankBeforeColon, .controlCharacter]) {
            FieldTidying.tidy(&storage, from: start)
        }
        let section = FieldSection(
            storage: storage,
            start: start,
            count: self.count,
            mayHoldControlCharacters: self.deviations.contains(.controlCharacter)
        )
        guard self.deviations.contains(.invalidName) else { return section }
        return section.filtered { bytes, name in
            !name.isEmpty && bytes.endOfToken(from: name.lowerBound, to: name.upperBound) == name.upperBound
        }
    }

    func trailers(_ bytes: ByteView) -> FieldSection? {
        let section = self.section(bytes, from: 0)
        guard self.framing.hasForbiddenTrailer else { return section.isEmpty ? nil : section }
        let kept = section.filtered { !FramingFields.isForbiddenInTrailers($0, name: $1) }
        return kept.isEmpty ? nil : kept
    }
}
