// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TernCommand

@Suite("The option that was meant")
struct OptionSuggestionTests {
    static let distances: [(one: String, other: String, distance: Int)] = [
        ("", "", 0), ("a", "", 1), ("", "ab", 2), ("header", "header", 0), ("heder", "header", 1),
        ("lcoation", "location", 1), ("ab", "ba", 1), ("abc", "ca", 3), ("kitten", "sitting", 3), ("data", "form", 4),
    ]

    @Test(arguments: distances)
    func `the distance counts letters, and a swap as one`(one: String, other: String, distance: Int) {
        #expect(OptionSuggestion.distance(Array(one.utf8), Array(other.utf8)) == distance)
        #expect(OptionSuggestion.distance(Array(other.utf8), Array(one.utf8)) == distance)
    }

    @Test func `the nearest name is suggested, and the first of several`() {
        let names = ["url", "data", "date", "location", "user-agent"]
        #expect(OptionSuggestion.name(for: "dat", among: names) == "data")
        #expect(OptionSuggestion.name(for: "dats", among: names) == "data")
        #expect(OptionSuggestion.name(for: "locat", among: names) == "location")
        #expect(OptionSuggestion.name(for: "useragent", among: names) == "user-agent")
        for typed in ["", "u", "x", "zzz", "fetch", "us", String(repeating: "location", count: 5)] {
            #expect(OptionSuggestion.name(for: typed, among: names) == nil, "\(typed)")
        }
    }

    @Test func `every option of curl is found with one letter in another place`() {
        let names = CurlOption.all.map(\.option.name)
        for name in names where name.utf8.count > 5 {
            let typed = String(name.dropFirst(2).prefix(1) + name.prefix(2) + name.dropFirst(3))
            #expect(OptionSuggestion.name(for: typed, among: names) != nil || typed == name, "\(typed)")
        }
    }
}
