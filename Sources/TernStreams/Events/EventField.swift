// SPDX-License-Identifier: Apache-2.0

/// One line of an event stream that is not blank (WHATWG HTML §9.2.6), with the offsets of its value in the line.
enum EventField: Equatable {
    case comment(Range<Int>)
    case event(Range<Int>)
    case data(Range<Int>)
    case id(Range<Int>)
    case retry(Duration)
    case other

    /// Reads a line; without a colon, the whole line is the name, and the value is empty.
    @inline(__always)
    init(_ line: UnsafeRawBufferPointer) {
        // No name that has a meaning is longer than five bytes.
        var nameEnd = 0
        while nameEnd < min(line.count, 6), line[nameEnd] != UInt8(ascii: ":") { nameEnd &+= 1 }
        // "If value starts with a U+0020 SPACE character, remove it from value."
        var start = min(nameEnd &+ 1, line.count)
        if start < line.count, line[start] == UInt8(ascii: " ") { start &+= 1 }
        switch nameEnd {
        case 0: self = .comment(start..<line.count)
        case 2 where Self.line(line, startsWith: "id"): self = .id(start..<line.count)
        case 4 where Self.line(line, startsWith: "data"): self = .data(start..<line.count)
        case 5 where Self.line(line, startsWith: "event"): self = .event(start..<line.count)
        case 5 where Self.line(line, startsWith: "retry"):
            self = Self.milliseconds(line[start...]).map { .retry(.milliseconds($0)) } ?? .other
        default: self = .other
        }
    }

    @inline(__always)
    private static func line(_ line: UnsafeRawBufferPointer, startsWith name: StaticString) -> Bool {
        for index in 0..<name.utf8CodeUnitCount where line[index] != name.utf8Start[index] { return false }
        return true
    }

    /// Reads the value of a `retry` field: "only ASCII digits", as "an integer in base ten".
    private static func milliseconds(_ digits: Slice<UnsafeRawBufferPointer>) -> Int64? {
        guard !digits.isEmpty else { return nil }
        var value: Int64 = 0
        for byte in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            let (product, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, sumOverflows) = product.addingReportingOverflow(Int64(byte - UInt8(ascii: "0")))
            value = overflows || sumOverflows ? .max : sum
        }
        return value
    }
}
