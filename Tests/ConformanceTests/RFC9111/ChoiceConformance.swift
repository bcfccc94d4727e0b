// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernCaching
import Testing

@Suite("RFC 9111: choosing")
struct ChoiceConformance {
    private static func choice(_ candidates: [(String, String)]...) -> Int? {
        StoredResponse.choice(among: candidates.map { CacheVector.stored($0) })
    }

    private static func date(_ offset: Int64) -> (String, String) { ("Date", CacheVector.date(offset)) }
    private static let vary = ("Vary", "Accept")

    @Test("§4: of several matching responses, the cache chooses the most recent by its Date")
    func mostRecent() {
        #expect(Self.choice([Self.date(-9)], [Self.date(-1)], [Self.date(-5)]) == 1)
        #expect(Self.choice([Self.vary, Self.date(-1)], [Self.vary, Self.date(-5)]) == 0)
        #expect(Self.choice([Self.date(-5)]) == 0)
        #expect(Self.choice() == nil)
    }

    @Test("§4: of responses with equal dates, the cache chooses the one that was stored last")
    func equal() {
        #expect(Self.choice([Self.date(-5)], [Self.date(-5)]) == 0)
        // If `Date` cannot be parsed, the time of receipt counts (RFC 9110 §6.6.1).
        #expect(Self.choice([Self.date(-1)], [("Date", "yesterday")], []) == 1)
    }

    @Test("§4.1: the cache chooses a response without Vary last")
    func withoutVary() {
        #expect(Self.choice([Self.date(0)], [Self.vary, Self.date(-9)]) == 1)
        #expect(Self.choice([Self.vary, Self.date(-9)], [Self.date(0)]) == 0)
        #expect(Self.choice([Self.vary, Self.date(-9)], [Self.date(0)], [Self.vary, Self.date(-8)]) == 2)
    }
}
