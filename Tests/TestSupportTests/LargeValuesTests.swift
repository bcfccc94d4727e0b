// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Comparison of large values", .hangLimit)
struct LargeValuesTests {
    /// Runs a comparison that must fail, and expects exactly one issue.
    private func expectIssue(_ compare: () -> Void, sourceLocation: SourceLocation = #_sourceLocation) {
        let issues = Mutex(0)
        withKnownIssue(sourceLocation: sourceLocation) {
            compare()
        } matching: { _ in
            issues.withLock { $0 += 1 }
            return true
        }
        #expect(issues.withLock { $0 } == 1, sourceLocation: sourceLocation)
    }

    @Test func `equal values of any kind record nothing`() {
        let bytes = Array(repeating: UInt8(7), count: 3 << 20)
        expectEqual(bytes, bytes)
        expectEqual(Data(bytes), bytes)
        expectEqual(bytes[5...], bytes.dropFirst(5))
        expectEqual(bytes.lazy.map { $0 }, Data(bytes), "without memory of its own")
        expectEqual([UInt8](), Data())
        expectEqual("café", "café".dropLast(0))
    }

    @Test func `megabytes without anything in common are one issue`() {
        let count = 16 << 20
        let (one, other) = ([UInt8](repeating: 1, count: count), [UInt8](repeating: 2, count: count))
        #expect(ByteDifference(of: one, from: other)?.offset == 0)
        self.expectIssue { expectEqual(one, other) }
        self.expectIssue { expectEqual(Data(one), Data(other)) }
        self.expectIssue { expectEqual(String(decoding: one, as: UTF8.self), String(decoding: other, as: UTF8.self)) }
    }

    @Test(arguments: [0, 1, 9, 65_535, 65_536, 65_537, 199_999])
    func `the first difference is found wherever it is`(offset: Int) {
        let expected = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        var actual = Data(expected)
        actual[offset] ^= 0xFF
        let difference = ByteDifference(of: actual, from: expected)
        #expect(difference?.offset == offset)
        #expect(difference?.count == 200_000)
        let start = max(0, offset - 8)
        #expect(difference?.bytes == Array(actual[start..<min(start + 24, 200_000)]))
        #expect(difference?.expectedBytes == Array(expected[start..<min(start + 24, 200_000)]))
    }

    @Test func `a length that is wrong is a difference at the end of the shorter one`() {
        #expect(ByteDifference(of: [1, 2, 3], from: [1, 2])?.offset == 2)
        #expect(ByteDifference(of: [1, 2], from: [1, 2, 3])?.offset == 2)
        #expect(ByteDifference(of: [], from: Data([1]))?.offset == 0)
        #expect(ByteDifference(of: [1, 2][...], from: Data([1, 2])) == nil)
        self.expectIssue { expectEqual("abc", "ab") }
    }

    @Test func `no value is an issue`() {
        self.expectIssue { expectEqual(nil as Data?, [1]) }
        self.expectIssue { expectEqual(nil as String?, "") }
    }

    @Test func `texts that are only equivalent differ`() {
        self.expectIssue { expectEqual("\u{E9}", "e\u{301}") }
    }
}
