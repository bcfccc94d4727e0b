// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TernWebSocketCore

@Suite("CompressionPolicy")
struct CompressionPolicyTests {
    /// Sends messages of 100 bytes that have `byteCount` bytes if compressed, and returns which messages were
    /// compressed.
    private static func send(_ count: Int, becoming byteCount: Int, by policy: inout CompressionPolicy) -> [Bool] {
        (0..<count).map { _ in
            guard policy.shouldCompress(byteCount: 100) else { return false }
            policy.record(plainByteCount: 100, compressedByteCount: byteCount)
            return true
        }
    }

    private static func runs(_ values: [Bool]) -> [String] {
        var runs: [(Bool, Int)] = []
        for value in values {
            if let last = runs.last, last.0 == value { runs[runs.count - 1].1 += 1 } else { runs.append((value, 1)) }
        }
        return runs.map { "\($0.0 ? "compress" : "plain") \($0.1)" }
    }

    @Test
    func `what shrinks is compressed for ever`() {
        var policy = CompressionPolicy()
        #expect(Self.runs(Self.send(1000, becoming: 60, by: &policy)) == ["compress 1000"])
    }

    @Test
    func `what does not shrink is tried at growing intervals`() {
        var policy = CompressionPolicy()
        let expected = [
            "compress 8", "plain 32", "compress 3", "plain 64", "compress 3", "plain 128", "compress 3", "plain 59",
        ]
        #expect(Self.runs(Self.send(300, becoming: 105, by: &policy)) == expected)
    }

    @Test
    func `intervals do not grow for ever`() {
        var policy = CompressionPolicy()
        let runs = Self.runs(Self.send(50_000, becoming: 105, by: &policy))
        #expect(runs.filter { $0 == "plain 4096" }.count > 3)
    }

    @Test
    func `a probe that pays brings compression back`() {
        var policy = CompressionPolicy()
        #expect(Self.runs(Self.send(20, becoming: 105, by: &policy)) == ["compress 8", "plain 12"])
        #expect(Self.runs(Self.send(100, becoming: 50, by: &policy)) == ["plain 20", "compress 80"])
        // The intervals between two probes are short again.
        let expected = ["compress 11", "plain 32", "compress 3", "plain 4"]
        #expect(Self.runs(Self.send(50, becoming: 105, by: &policy)) == expected)
    }

    @Test
    func `one large message counts as its bytes do`() {
        var policy = CompressionPolicy()
        for _ in 0..<7 { policy.record(plainByteCount: 10, compressedByteCount: 12) }
        policy.record(plainByteCount: 10_000, compressedByteCount: 1000)
        let compresses = policy.shouldCompress(byteCount: 100)
        #expect(compresses)
    }

    @Test
    func `a saving of one in 16 is the least`() {
        for (byteCount, pays) in [(93, true), (94, false)] {
            var policy = CompressionPolicy()
            _ = Self.send(8, becoming: byteCount, by: &policy)
            let compresses = policy.shouldCompress(byteCount: 100)
            #expect(compresses == pays, "\(byteCount)")
        }
    }

    @Test
    func `tiny messages are left alone, and count for nothing`() {
        var policy = CompressionPolicy()
        for count in 0..<6 {
            let compresses = policy.shouldCompress(byteCount: count)
            #expect(!compresses)
        }
        #expect(policy == CompressionPolicy())
        let compresses = policy.shouldCompress(byteCount: 6)
        #expect(compresses)
    }
}
