// SPDX-License-Identifier: Apache-2.0
import TernStreams

/// Splits a whole input into records, without limits, chunks or shortcuts.
func referenceRecords(of bytes: [UInt8], format: RecordFormat) -> RecordOutcome {
    switch format {
    case .lines: referenceLineRecords(of: bytes)
    case .textSequence: referenceSequenceRecords(of: bytes)
    }
}

private let whitespace: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

private func referenceLineRecords(of bytes: [UInt8]) -> RecordOutcome {
    var outcome = RecordOutcome()
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    for line in bytes[start...].split(separator: 0x0A, omittingEmptySubsequences: false) {
        defer { start += line.count + 1 }
        let blankCount = line.prefix { whitespace.contains($0) }.count
        guard blankCount < line.count else { continue }
        let text = line.last == 0x0D ? line.dropLast() : line
        let record = String(decoding: text.dropFirst(blankCount), as: UTF8.self)
        outcome.records.append(TextRecord(record, outcome.records.count, Int64(start + blankCount)))
    }
    return outcome
}

private func referenceSequenceRecords(of bytes: [UInt8]) -> RecordOutcome {
    var outcome = RecordOutcome()
    var start = 0
    var number = 0
    for (index, element) in bytes.split(separator: 0x1E, omittingEmptySubsequences: false).enumerated() {
        defer { start += element.count + 1 }
        let blankCount = element.prefix { whitespace.contains($0) }.count
        let offset = Int64(start + blankCount)
        let text = Array(element.dropFirst(blankCount))
        guard let first = text.first, let last = text.last else { continue }
        guard index > 0 else {
            outcome.violations.append(.notASequence(offset: offset))
            break
        }
        defer { number += 1 }
        guard let end = (0...text.count).first(where: { endsRecord(text, at: $0) }) else {
            if isBalanced(text[...]), [0x22, 0x5B, 0x7B].contains(first) || whitespace.contains(last) {
                outcome.records.append(TextRecord(String(decoding: text, as: UTF8.self), number, offset))
            } else {
                outcome.violations.append(.truncated(number: number, offset: offset))
            }
            continue
        }
        outcome.records.append(TextRecord(String(decoding: text[..<end], as: UTF8.self), number, offset))
        if let rest = text[end...].firstIndex(where: { !whitespace.contains($0) }) {
            outcome.violations.append(.notASequence(offset: offset + Int64(rest)))
            break
        }
    }
    let isOver = outcome.violations.contains { if case .notASequence = $0 { true } else { false } }
    if bytes.last == 0x1E, !isOver {
        outcome.violations.append(.truncated(number: number, offset: Int64(bytes.count)))
    }
    return outcome
}

/// Returns whether the byte at an offset is the LF that ends a record.
private func endsRecord(_ text: [UInt8], at offset: Int) -> Bool {
    offset < text.count && text[offset] == 0x0A && isBalanced(text[..<offset])
}

/// Returns whether no string, array or object is open at the end of a text.
private func isBalanced(_ text: ArraySlice<UInt8>) -> Bool {
    var depth = 0
    var isInString = false
    var rest = text
    while let byte = rest.popFirst() {
        switch (byte, isInString) {
        case (0x5C, true): _ = rest.popFirst()
        case (0x22, _): isInString.toggle()
        case (0x5B, false), (0x7B, false): depth += 1
        case (0x5D, false), (0x7D, false): depth -= 1
        default: break
        }
    }
    return depth <= 0 && !isInString
}
