// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Testing

@testable import TernCommand

@Suite("Patterns in a URL")
struct URLPatternTests {
    static let patterns: [(text: String, urls: [String])] = [
        ("", [""]), ("http://h/a", ["http://h/a"]), ("[1-3]", ["1", "2", "3"]), ("[8-11]", ["8", "9", "10", "11"]),
        ("[08-11]", ["08", "09", "10", "11"]), ("[001-7:3]", ["001", "004", "007"]), ("[0-1]", ["0", "1"]),
        ("[1-8:3]", ["1", "4", "7"]), ("[5-5]", ["5"]), ("[a-c]", ["a", "b", "c"]), ("[A-E:2]", ["A", "C", "E"]),
        ("{one,two}", ["one", "two"]), ("{one}", ["one"]), ("{,a}", ["", "a"]), ("{a,}", ["a", ""]),
        ("{a\\,b,c\\}\\\\}", ["a,b", "c}\\"]), ("{ä,😀}", ["ä", "😀"]),
        (
            "http://{a,b}.x/[1-2]?[x-y]",
            [
                "http://a.x/1?x", "http://a.x/1?y", "http://a.x/2?x", "http://a.x/2?y",
                "http://b.x/1?x", "http://b.x/1?y", "http://b.x/2?x", "http://b.x/2?y",
            ]
        ),
        ("http://[::1]:80/[1-2]", ["http://[::1]:80/1", "http://[::1]:80/2"]),
        ("http://[fe80::1%25eth-0]/{a,b}", ["http://[fe80::1%25eth-0]/a", "http://[fe80::1%25eth-0]/b"]),
        ("/?a[]=1&a[]=2", ["/?a[]=1&a[]=2"]), ("/\\[1-2\\]\\{a\\}", ["/[1-2]{a}"]), ("a\\b\\", ["a\\b\\"]),
    ]

    @Test(arguments: patterns)
    func `a pattern stands for URLs, in curl's order`(text: String, urls: [String]) throws {
        let pattern = try URLPattern(parsing: text)
        #expect(pattern.count == urls.count)
        #expect((0..<pattern.count).map { pattern.url(at: $0).text } == urls)
        #expect(pattern.isPattern == (urls.count > 1 || text.contains("{one}") || text == "[5-5]"))
    }

    static let malformed: [(text: String, position: Int)] = [
        ("[", 1), ("a[1", 2), ("]", 1), ("ä]", 2), ("}", 1), ("{", 1), ("{a", 1), ("{}", 1), ("{a,{b}}", 4),
        ("{a[1-2]}", 3), ("{a]}", 3), ("[]x]", 4), ("[1]", 1), ("[a]", 1), ("[-]", 1), ("[1-]", 1), ("[-1]", 1),
        ("[1-2-3]", 1), ("[2-1]", 1), ("[b-a]", 1), ("[a-1]", 1), ("[1-a]", 1), ("[a-Z]", 1), ("[A-z]", 1),
        ("[aa-b]", 1), ("[1-2:0]", 1), ("[1-2:2]", 1), ("[1-1:2]", 1), ("[1-9:]", 1), ("[1-9:a]", 1),
        ("[1-9:1:1]", 1), ("[ 1-2]", 1), ("[é-z]", 1), ("[name]", 1), ("[1-99999999999999999999]", 1),
        ("[0-100000]", 1), ("[0-9223372036854775807]", 1), ("[1-1000][1-1000]", 1), ("[1-60000]{a,b}", 1),
        ("[1:2]", 1), ("[/-:]", 1), ("[@-B]", 1),
    ]

    @Test(arguments: malformed)
    func `a malformed pattern is refused, with its place`(text: String, position: Int) {
        let problem = #expect(throws: URLPattern.Problem.self) { try URLPattern(parsing: text) }
        #expect(problem?.position == position && problem?.reason.isEmpty == false)
    }

    @Test func `the number of URLs is bounded`() throws {
        #expect(try URLPattern(parsing: "[1-100000]").count == 100_000)
        let last = Int.max - 1
        #expect(try URLPattern(parsing: "[0-\(last):\(last)]").url(at: 1).text == "\(last)")
        let words = Array(repeating: "a", count: 100_000).joined(separator: ",")
        #expect(try URLPattern(parsing: "{\(words)}").count == 100_000)
        #expect(throws: URLPattern.Problem.self) { try URLPattern(parsing: "{\(words),a}") }
        #expect(try URLPattern(parsing: String(repeating: "{a}", count: 10_000)).count == 1)
    }

    static let names: [(template: String, name: String)] = [
        ("", ""), ("f", "f"), ("#1", "a"), ("x-#1-#2.txt", "x-a-2.txt"), ("#3#0#", "#3#0#"), ("##1", "#a"),
        ("#12", "#12"), ("#1#1", "aa"), ("#99999999999999999999", "#99999999999999999999"),
    ]

    @Test(arguments: names)
    func `a number sign stands for the value of a pattern`(template: String, name: String) {
        #expect(URLPattern.name(template, ["a", "2"]) == name)
        #expect(URLPattern.name(template, []) == template)
    }

    @Test func `with --globoff there are no patterns`() throws {
        let command = try GetCommand.parse(["-g", "http://h/[1-2]{a"])
        #expect(try command.call.pattern() == URLPattern(literal: "http://h/[1-2]{a"))
        let error = #expect(throws: CommandFailure.self) {
            try GetCommand.parse(["http://h/[2-1]"]).call.pattern()
        }
        #expect(error?.outcome == .invalidRequest && error?.message.contains("--globoff") == true)
    }
}
