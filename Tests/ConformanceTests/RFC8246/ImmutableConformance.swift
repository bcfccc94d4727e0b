// SPDX-License-Identifier: Apache-2.0
import TernCaching
import Testing

@Suite("RFC 8246: immutable")
struct ImmutableConformance {
    private static let fields = [("Cache-Control", "max-age=60, immutable"), CacheVector.tag]

    @Test("§2: a revalidating reload uses a fresh immutable response without a request")
    func fresh() {
        #expect(CacheVector.decision(Self.fields, after: 59, [], .revalidate) == CacheVector.fresh)
    }

    @Test("§2: a stale response and a full reload send a request")
    func stale() {
        #expect(CacheVector.decision(Self.fields, after: 61, [], .revalidate) == CacheVector.ask)
        #expect(CacheVector.decision(Self.fields, after: 61) == CacheVector.ask)
        #expect(CacheVector.decision(Self.fields, after: 1, [], .reload) == .forward)
        #expect(CacheVector.decision(Self.fields, after: 1, [("Cache-Control", "no-cache")]) == CacheVector.ask)
    }

    @Test(
        "§2: arguments and repetitions mean nothing; in a request it does nothing",
        arguments: [
            "immutable=0", "immutable=\"no\"", "immutable, immutable",
        ]
    )
    func arguments(_ directive: String) {
        let fields = [("Cache-Control", "max-age=60, \(directive)"), CacheVector.tag]
        #expect(CacheVector.decision(fields, after: 59, [], .revalidate) == CacheVector.fresh)
        let plain = [("Cache-Control", "max-age=60"), CacheVector.tag]
        #expect(CacheVector.decision(plain, after: 59, [("Cache-Control", directive)], .revalidate) == CacheVector.ask)
    }
}
