// SPDX-License-Identifier: Apache-2.0
import TernStreams

/// A record whose bytes are text, for tests.
struct TextRecord: Equatable, Sendable {
    var text: String
    var number: Int
    var offset: Int64

    init(_ text: String, _ number: Int, _ offset: Int64) {
        (self.text, self.number, self.offset) = (text, number, offset)
    }
}

/// The result of decoding a whole input.
///
/// A truncated record is one of the violations, after which the decoder continues.
struct RecordOutcome: Equatable, Sendable {
    var records: [TextRecord] = []
    var violations: [RecordViolation] = []
}

extension RecordDecoder {
    /// Returns the outcome of an input that arrives in chunks.
    mutating func outcome(of chunks: [ArraySlice<UInt8>]) -> RecordOutcome {
        var outcome = RecordOutcome()
        for chunk in chunks.map(Array.init) {
            var offset = 0
            while outcome.mayContinue {
                guard
                    outcome.add({ () throws(RecordViolation) in
                        try self.next(in: ContiguousArray(chunk).span.bytes, from: &offset)
                    })
                else { break }
            }
        }
        if outcome.mayContinue { outcome.add { () throws(RecordViolation) in try self.finish() } }
        return outcome
    }

    /// Returns the text of the records that end in one chunk.
    mutating func records(in text: String) throws(RecordViolation) -> [String] {
        try self.records(in: Array(text.utf8))
    }

    /// Returns the text of the records that end in one chunk.
    mutating func records(in chunk: [UInt8]) throws(RecordViolation) -> [String] {
        var records: [String] = []
        var offset = 0
        while let record = try self.next(in: ContiguousArray(chunk).span.bytes, from: &offset) {
            records.append(String(decoding: record.bytes, as: UTF8.self))
        }
        return records
    }
}

extension RecordOutcome {
    /// Whether the last violation, if any, leaves the decoder usable.
    var mayContinue: Bool {
        guard let last = self.violations.last else { return true }
        if case .truncated = last { return true }
        return false
    }

    /// Adds a record or a violation.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    mutating func add(_ next: () throws(RecordViolation) -> Record?) -> Bool {
        do throws(RecordViolation) {
            guard let record = try next() else { return false }
            self.records.append(TextRecord(String(decoding: record.bytes, as: UTF8.self), record.number, record.offset))
        } catch {
            self.violations.append(error)
        }
        return true
    }
}
