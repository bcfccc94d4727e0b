// SPDX-License-Identifier: Apache-2.0
@_spi(CrossModuleInlining) import TernFields

/// Finds the field lines of a head or of a trailer section, in one pass that can be interrupted anywhere.
///
/// Offsets count from the first byte of the section; the caller presents that byte first each time. A line is judged
/// only once its LF is there, so the verdict does not depend on how the bytes were split.
struct FieldScan: Sendable {
    /// The field read last, whose value the next line may continue.
    private struct LastField {
        var name: Range<Int>
        var value: Range<Int>
        var oddities: FieldLine.Oddities
    }

    /// Where the line being read starts; once the scan is complete, the first offset behind the section.
    private(set) var lineStart: Int
    /// How far the line being read was searched for its end.
    private(set) var searchedEnd: Int
    /// How many fields were found.
    private(set) var count = 0
    /// What the fields said about framing.
    private(set) var framing = FramingFields()
    /// What was accepted although no sender may generate it.
    private(set) var oddities: FieldLine.Oddities = []

    private let start: Int
    /// Where the empty line starts, once the scan is complete.
    private var end = 0
    private var lastField: LastField?

    /// Creates a scan of the field lines from `start` on.
    init(start: Int = 0) { (self.start, self.lineStart, self.searchedEnd) = (start, start, start) }

    /// Reads lines up to the empty one, looking no further than `end`; `false` means that it is not there yet.
    mutating func scan(_ bytes: ByteView, to end: Int, maximumCount: Int) throws(HTTP1Violation) -> Bool {
        while true {
            // A line that was looked at before is searched on, not read again.
            if self.searchedEnd > self.lineStart, bytes.firstLineFeed(from: self.searchedEnd, to: end) == nil {
                self.searchedEnd = end
                return false
            }
            let mayContinue = self.lastField != nil
            switch try FieldLine.read(bytes, from: self.lineStart, to: end, mayContinue: mayContinue) {
            case .incomplete:
                self.searchedEnd = end
                return false
            case .last(let next, let oddities):
                self.noticeLastField(bytes)
                self.oddities.formUnion(oddities)
                (self.end, self.lineStart) = (self.lineStart, next)
                return true
            case .field(let name, let value, let next, let oddities):
                guard self.count < maximumCount else { throw .tooManyFields(limit: maximumCount) }
                self.noticeLastField(bytes)
                self.count += 1
                self.lastField = LastField(name: name, value: value, oddities: oddities)
                self.oddities.formUnion(oddities)
                (self.lineStart, self.searchedEnd) = (next, next)
            case .continuation(let valueEnd, let next, let oddities):
                if let field = self.lastField {
                    let oddities = field.oddities.union(oddities).union(.folded)
                    let value = field.value.lowerBound..<valueEnd
                    self.lastField = LastField(name: field.name, value: value, oddities: oddities)
                    self.oddities.formUnion(oddities)
                }
                (self.lineStart, self.searchedEnd) = (next, next)
            }
        }
    }

    /// Takes note of a field, now that its value is known to be complete.
    private mutating func noticeLastField(_ bytes: ByteView) {
        guard let field = self.lastField else { return }
        self.framing.notice(bytes, name: field.name, value: field.value, field.oddities)
    }

    /// The lines found, behind what stands between `prefixStart` and the first of them; for a complete scan.
    func section(_ bytes: ByteView, from prefixStart: Int) -> FieldSection {
        var storage = prefixStart < self.end ? bytes.copy(prefixStart..<self.end) : []
        let start = self.start - prefixStart
        if !self.oddities.isDisjoint(with: [.folded, .blankBeforeColon, .controlCharacter]) {
            FieldTidying.tidy(&storage, from: start)
        }
        return FieldSection(
            storage: storage,
            start: start,
            count: self.count,
            mayHoldControlCharacters: self.oddities.contains(.controlCharacter)
        )
    }

    /// The lines found, without those that may not be in a trailer section; `nil` if none is left.
    func trailers(_ bytes: ByteView) -> FieldSection? {
        let section = self.section(bytes, from: 0)
        guard self.framing.hasForbiddenTrailer else { return section.isEmpty ? nil : section }
        let kept = section.filtered { !FramingFields.isForbiddenInTrailers($0, name: $1) }
        return kept.isEmpty ? nil : kept
    }
}
