// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Looks for one short text in many bytes, by Horspool's method: a mismatch skips up to the length of the text.
struct TextSearch {
    private let pattern: [UInt8]
    /// For each byte, how far the text may move when that byte stands under its end.
    private var shifts: [Int]

    /// Prepares to look for `text`, which is not empty.
    init(for text: String) {
        let pattern = Array(text.utf8)
        precondition(!pattern.isEmpty, "an empty text occurs everywhere")
        self.pattern = pattern
        self.shifts = Array(repeating: pattern.count, count: 256)
        for (index, byte) in pattern.dropLast().enumerated() { self.shifts[Int(byte)] = pattern.count - 1 - index }
    }

    /// Whether the text occurs in `data`.
    func occurs(in data: Data) -> Bool {
        data.withUnsafeBytes { self.occurs(in: $0) }
    }

    private func occurs(in bytes: UnsafeRawBufferPointer) -> Bool {
        let last = self.pattern.count - 1
        var start = 0
        while start + last < bytes.count {
            var index = last
            while index >= 0, bytes[start + index] == self.pattern[index] { index -= 1 }
            if index < 0 { return true }
            start += self.shifts[Int(bytes[start + last])]
        }
        return false
    }
}
