// SPDX-License-Identifier: Apache-2.0
import TernFoundation
import TestSupport
import Testing

@testable import TernRequests

@Suite("The search for a text in bytes")
struct TextSearchTests {
    @Test(arguments: [
        ("a", "a"), ("abc", "abc"), ("abc", "xabc"), ("abc", "abcx"), ("abc", "ababc"), ("aab", "aaaab"),
        ("abab", "abaabab"),
        ("--b", "----b"), ("aaa", "aabaaa"),
    ])
    func `what occurs is found`(pattern: String, text: String) {
        #expect(TextSearch(for: pattern).occurs(in: Data(text.utf8)))
    }

    @Test(arguments: [
        ("a", ""), ("a", "b"), ("abc", "ab"), ("abc", "abacab"), ("aab", "abab"), ("aaa", "aabaab"), ("ab", "b"),
    ])
    func `what does not occur is not found`(pattern: String, text: String) {
        #expect(!TextSearch(for: pattern).occurs(in: Data(text.utf8)))
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `it agrees with a search at every place`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        func letters(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 97...98, using: &generator) } }
        for _ in 0..<50 {
            let pattern = letters(Int.random(in: 1...6, using: &generator))
            let text = letters(Int.random(in: 0...30, using: &generator))
            let isThere = text.indices.contains { text[$0...].starts(with: pattern) }
            #expect(TextSearch(for: String(decoding: pattern, as: UTF8.self)).occurs(in: Data(text)) == isThere)
        }
    }
}
