// SPDX-License-Identifier: Apache-2.0

struct URLPatternParser {
    private typealias Problem = URLPattern.Problem

    private static let special = Set("{}[]".utf8)

    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) { self.bytes = Array(text.utf8) }

    private var next: UInt8? { self.index < self.bytes.count ? self.bytes[self.index] : nil }

    mutating func parts() throws(URLPattern.Problem) -> [URLPattern.Part] {
        var parts: [URLPattern.Part] = []
        var text: [UInt8] = []
        func end() {
            if !text.isEmpty { parts.append(.text(String(decoding: text, as: UTF8.self))) }
            text = []
        }
        while let byte = self.next {
            switch byte {
            case UInt8(ascii: "\\")
            where self.index + 1 < self.bytes.count
                && Self.special.contains(self.bytes[self.index + 1]):
                text.append(self.bytes[self.index + 1])
                self.index += 2
            case UInt8(ascii: "{"):
                end()
                parts.append(.words(try self.words()))
            case UInt8(ascii: "["):
                let count = self.literalByteCount
                if count > 0 {
                    text += self.bytes[self.index..<self.index + count]
                    self.index += count
                } else {
                    end()
                    parts.append(try self.range())
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                throw self.problem("a bracket or a brace is closed, but was not opened")
            default:
                text.append(byte)
                self.index += 1
            }
        }
        end()
        return parts
    }

    private func problem(_ reason: String, at index: Int? = nil) -> Problem {
        let before = String(decoding: self.bytes[..<(index ?? self.index)], as: UTF8.self)
        return Problem(reason: reason, position: before.count + 1)
    }

    /// The length of `[]` or of an IPv6 address in brackets; 0 if there is a range.
    private var literalByteCount: Int {
        guard let end = self.bytes[self.index...].firstIndex(of: UInt8(ascii: "]")) else { return 0 }
        let inside = self.bytes[(self.index + 1)..<end]
        let address = inside.prefix { $0 != UInt8(ascii: "%") }
        let isAddress = address.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: ":"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        // A range has at most one colon, before its step.
        let colons = address.count { $0 == UInt8(ascii: ":") }
        return inside.isEmpty || isAddress && colons > 1 ? end + 1 - self.index : 0
    }

    // MARK: Sets

    private mutating func words() throws(URLPattern.Problem) -> [String] {
        let start = self.index
        var words: [String] = []
        var word: [UInt8] = []
        self.index += 1
        while var byte = self.next {
            self.index += 1
            switch byte {
            case UInt8(ascii: "}"):
                guard !words.isEmpty || !word.isEmpty else { throw self.problem("a set in braces is empty", at: start) }
                return words + [String(decoding: word, as: UTF8.self)]
            case UInt8(ascii: ","):
                guard words.count < URLPattern.maximumCount - 1 else {
                    throw self.problem("a set has more than \(URLPattern.maximumCount) members", at: start)
                }
                words.append(String(decoding: word, as: UTF8.self))
                word = []
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "]"):
                throw self.problem("a set in braces contains a bracket or a brace", at: self.index - 1)
            default:
                if byte == UInt8(ascii: "\\"), let escaped = self.next {
                    byte = escaped
                    self.index += 1
                }
                word.append(byte)
            }
        }
        throw self.problem("a brace is not closed", at: start)
    }

    // MARK: Ranges

    /// Parses `[first-last]` or `[first-last:step]`, of numbers or of letters.
    private mutating func range() throws(URLPattern.Problem) -> URLPattern.Part {
        let start = self.index
        let malformed = self.problem("a range must have a form such as [1-9], [01-31:2] or [a-f]")
        guard let end = self.bytes[start...].firstIndex(of: UInt8(ascii: "]")) else { throw malformed }
        let halves = self.bytes[(start + 1)..<end].split(
            separator: UInt8(ascii: ":"),
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        let limits = halves[0].split(separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
        let step = halves.count > 1 ? Self.number(halves[1]) : 1
        guard limits.count == 2, let step else { throw malformed }
        self.index = end + 1
        if let first = Self.letter(limits[0]), let last = Self.letter(limits[1]) {
            // Upper and lower case do not follow each other.
            guard first & 0x20 == last & 0x20, let count = Self.count(Int(first), Int(last), step) else {
                throw malformed
            }
            return .letters(first: first, count: count, step: step)
        }
        guard let first = Self.number(limits[0]), let last = Self.number(limits[1]),
            let count = Self.count(first, last, step)
        else { throw malformed }
        guard count <= URLPattern.maximumCount else {
            throw self.problem("a range has more than \(URLPattern.maximumCount) values", at: start)
        }
        let width = limits[0].first == UInt8(ascii: "0") ? limits[0].count : 0
        return .numbers(first: first, count: count, step: step, width: width)
    }

    /// Returns the number of values; `nil` if there are none, or if the step leads out of the range at once.
    private static func count(_ first: Int, _ last: Int, _ step: Int) -> Int? {
        guard step > 0, first == last ? step == 1 : first < last && step <= last - first else { return nil }
        let steps = (last - first) / step
        return steps < .max ? steps + 1 : steps
    }

    private static func letter(_ bytes: ArraySlice<UInt8>) -> UInt8? {
        guard let letter = bytes.first, bytes.count == 1 else { return nil }
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter | 0x20) ? letter : nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard !bytes.isEmpty, bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(String(decoding: bytes, as: UTF8.self))
    }
}
