// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import Testing

@Suite("MediaType of a response (Fetch, to extract a MIME type)")
struct MediaTypeExtractionTests {
    private static func extracted(_ values: [String]) -> String? {
        var fields = HTTPFields()
        fields[values: .contentType] = values
        return MediaType(of: fields).map { type in
            type.essence + type.parameters.map { ";\($0.name)=\($0.value)" }.joined()
        }
    }

    /// Most rows are those of `fetch/content-type/resources/content-types.json` of the Web Platform Tests.
    static let rows: [(values: [String], expected: String?)] = [
        ([], nil), ([""], nil), (["text/event-stream"], "text/event-stream"),
        (["text/event-stream, text/event-stream"], "text/event-stream"),
        (["text/event-stream", "Text/Event-Stream"], "text/event-stream"),
        (["text/plain, text/html"], "text/html"), (["text/plain", "text/html"], "text/html"),
        ([",text/plain"], "text/plain"), (["text/plain,"], "text/plain"), (["text/plain , ,"], "text/plain"),
        (["", "text/plain"], "text/plain"), (["text/plain", ""], "text/plain"),
        (["text/plain, */*"], "text/plain"), (["text/html", "*/*"], "text/html"),
        (["*/*", "text/html"], "text/html"), (["*/*"], nil), (["text/plain, */*;charset=x"], "text/plain"),
        (["nonsense", "text/plain", "nonsense"], "text/plain"), (["text/plain, a b/c"], "text/plain"),
        // The charset of the same type before remains.
        (["text/plain;charset=gbk", "text/plain"], "text/plain;charset=gbk"),
        (["text/html;charset=gbk, text/html;x=y"], "text/html;x=y;charset=gbk"),
        (["text/html;charset=gbk", "text/html;charset=utf-8"], "text/html;charset=utf-8"),
        (["text/plain;charset=gbk;x=y, text/plain"], "text/plain;charset=gbk"),
        (["text/plain;charset=gbk", "text/html"], "text/html"),
        (["text/html;charset=gbk", "text/plain", "text/html"], "text/html"),
        (["text/html;charset=gbk", "*/*", "text/html"], "text/html;charset=gbk"),
        (["text/html;charset=gbk", "nonsense", "text/html"], "text/html;charset=gbk"),
        // A comma within quotes separates nothing, not even between two lines.
        (["text/html;x=\",text/plain\""], "text/html;x=,text/plain"),
        (["text/html;x=\"\\\",text/plain\""], "text/html;x=\",text/plain"),
        (["text/html;x=\"", "text/plain"], "text/html;x=, text/plain"),
        (["text/plain", "text/html;x=\"", "a/b"], "text/html;x=, a/b"),
        (["text/html;x=\"", "\", text/plain"], "text/plain"),
        // Parameters that are not valid are ignored.
        (["text/html;charset"], "text/html"), (["text/html;charset=;x=y"], "text/html;x=y"),
        (["text/html; charset =x"], "text/html"), (["text/html;Charset= x "], "text/html;charset= x"),
        (["text/html;=x;charset=a;charset=b"], "text/html;charset=a"),
        (["text/html;;;x=\"y\"z;a=b"], "text/html;x=y;a=b"),
        (["text/html;x=\"\""], "text/html;x="), (["text/html;x=\"\\"], "text/html;x=\\"),
        (["multipart/byteranges;boundary=a:b/c"], "multipart/byteranges;boundary=a:b/c"),
        (["text/html ;charset=a\tb ;x=y"], "text/html;charset=a\tb;x=y"),
        (["text/ html"], nil), (["text /html"], nil), (["/html"], nil), (["text/"], nil), (["text"], nil),
        (["text/html x"], nil), (["text/html/x"], nil), (["té/x"], nil),
    ]

    @Test(arguments: rows)
    func `the last valid type counts`(values: [String], expected: String?) {
        #expect(Self.extracted(values) == expected)
    }

    @Test func `a field of any length is read in linear time`() {
        #expect(Self.extracted([String(repeating: ",", count: 200_000) + "a/b"]) == "a/b")
        #expect(Self.extracted([String(repeating: "a/b,", count: 50_000)]) == "a/b")
        #expect(Self.extracted([String(repeating: "\"\\", count: 100_000)]) == nil)
        #expect(Self.extracted(["a/b", String(repeating: "c", count: 100_000) + "/d"]) == "a/b")
    }
}
