// SPDX-License-Identifier: Apache-2.0
import Foundation
public import Testing

/// Expects bytes to be equal, and reports the first difference in a few words.
///
/// For values that may be longer than about 1 KiB: `#expect(a == b)` computes the whole difference, which takes minutes for
/// megabytes.
///
/// - Parameters:
///   - actual: The actual value; `nil` records an issue.
///   - expected: The expected value.
///   - comment: The name of the value.
///   - sourceLocation: The place in the source where the issue is recorded.
public func expectEqual<Actual: Collection<UInt8>>(
    _ actual: Actual?,
    _ expected: some Collection<UInt8>,
    _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    guard let actual else {
        record("no value, expected \(expected.count) bytes", comment(), sourceLocation)
        return
    }
    guard let difference = ByteDifference(of: actual, from: expected) else { return }
    record("\(difference)", comment(), sourceLocation)
}

/// Expects texts to have the same bytes of UTF-8, and reports the first difference in a few words.
public func expectEqual<Actual: StringProtocol>(
    _ actual: Actual?,
    _ expected: some StringProtocol,
    _ comment: @autoclosure () -> Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    expectEqual(actual?.utf8, expected.utf8, comment(), sourceLocation: sourceLocation)
}

private func record(_ what: String, _ comment: Comment?, _ sourceLocation: SourceLocation) {
    Issue.record(comment.map { "\(what): \($0)" } ?? "\(what)", sourceLocation: sourceLocation)
}

/// The difference between two collections of bytes: their lengths, and the bytes around the first difference.
public struct ByteDifference: Equatable, Sendable, CustomStringConvertible {
    public var count: Int
    public var expectedCount: Int
    /// The offset of the first difference; the shorter length if one collection begins with the other.
    public var offset: Int
    public var bytes: [UInt8]
    public var expectedBytes: [UInt8]

    public init?(of actual: some Collection<UInt8>, from expected: some Collection<UInt8>) {
        let common: Int? = actual.withBytes { actual in
            expected.withBytes { expected in Self.commonPrefix(of: actual, and: expected) }
        }
        guard let common else { return nil }
        (self.count, self.expectedCount, self.offset) = (actual.count, expected.count, common)
        let start = max(0, common - 8)
        self.bytes = Array(actual.dropFirst(start).prefix(24))
        self.expectedBytes = Array(expected.dropFirst(start).prefix(24))
    }

    public var description: String {
        """
        \(self.count) bytes, expected \(self.expectedCount), differ at \(self.offset): \
        …\(Self.shown(self.bytes))…, expected …\(Self.shown(self.expectedBytes))…
        """
    }

    /// Returns the number of equal bytes at the start, or `nil` if all are equal.
    private static func commonPrefix(of one: UnsafeRawBufferPointer, and other: UnsafeRawBufferPointer) -> Int? {
        let shorter = min(one.count, other.count)
        var (low, step) = (0, 1 << 16)
        // The system's `memcmp` compares the bytes in pieces, because a loop over millions of bytes is slow without
        // optimization. A piece that differs is halved until one byte is left.
        while low < shorter, step > 0 {
            let length = min(step, shorter - low)
            if Self.areEqual(one, other, low..<low + length) { low += length } else { step = length / 2 }
        }
        return low == one.count && low == other.count ? nil : low
    }

    private static func areEqual(
        _ one: UnsafeRawBufferPointer,
        _ other: UnsafeRawBufferPointer,
        _ range: Range<Int>
    ) -> Bool {
        guard let one = UnsafeRawBufferPointer(rebasing: one[range]).baseAddress,
            let other = UnsafeRawBufferPointer(rebasing: other[range]).baseAddress
        else { return range.isEmpty }
        return memcmp(one, other, range.count) == 0
    }

    private static func shown(_ bytes: [UInt8]) -> String {
        let hex = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined(separator: " ")
        let text = bytes.map { (0x20..<0x7F).contains($0) ? String(UnicodeScalar($0)) : "." }.joined()
        return "\(hex) (\(text))"
    }
}

extension Collection<UInt8> {
    fileprivate func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        self.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
            ?? Array(self).withUnsafeBytes { body($0) }
    }
}
