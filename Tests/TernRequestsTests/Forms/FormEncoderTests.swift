// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernFoundation
import TernRequests
import Testing

@Suite("FormEncoder")
struct FormEncoderTests {
    private struct Photo: Encodable {
        struct Place: Encodable { var city: String }
        var title = "Sunset"
        var tags = ["a", "b"]
        var isPublic = true
        var taken = Date(timeIntervalSince1970: 1.5)
        var place: Place? = Place(city: "Málaga")
        var note: String?
    }

    private func text(_ value: some Encodable, _ encoder: FormEncoder = FormEncoder()) throws -> String {
        try encoder.pairs(value).map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    @Test func `a value is pairs, by the name of its members`() throws {
        let text = try self.text(Photo(), FormEncoder(dates: .seconds))
        #expect(text == "isPublic=true&place[city]=Málaga&tags[]=a&tags[]=b&taken=1.5&title=Sunset")
    }

    @Test func `members are in the order of the type if they are not sorted`() throws {
        let text = try self.text(Photo(), FormEncoder(dates: .milliseconds, sortsKeys: false))
        #expect(text == "title=Sunset&tags[]=a&tags[]=b&isPublic=true&taken=1500&place[city]=Málaga")
    }

    @Test(arguments: [
        (FormEncoder.ArrayEncoding.brackets, "a[]=1&a[]=2"), (.indexed, "a[0]=1&a[1]=2"), (.repeated, "a=1&a=2"),
        (.commas, "a=1,2"),
    ])
    func `lists have several forms`(arrays: FormEncoder.ArrayEncoding, expected: String) throws {
        #expect(try self.text(["a": [1, 2]], FormEncoder(arrays: arrays)) == expected)
        #expect(try self.text(["a": [Int]()], FormEncoder(arrays: arrays)) == "")
    }

    @Test(arguments: [
        (FormEncoder.ArrayEncoding.brackets, "a[0][b]=1&a[1][b]=2"), (.indexed, "a[0][b]=1&a[1][b]=2"),
        (.repeated, "a[b]=1&a[b]=2"),
    ])
    func `lists of values with members too`(arrays: FormEncoder.ArrayEncoding, expected: String) throws {
        #expect(try self.text(["a": [["b": 1], ["b": 2]]], FormEncoder(arrays: arrays)) == expected)
    }

    @Test func `an element with several members or elements stays one`() throws {
        #expect(try self.text(["a": [["b": 1, "c": 2], ["b": 3]]]) == "a[0][b]=1&a[0][c]=2&a[1][b]=3")
        #expect(try self.text(["a": [[1, 2], [3]]]) == "a[0][]=1&a[0][]=2&a[1][]=3")
    }

    @Test func `a list of nothing between commas is nothing`() throws {
        let nothing: [String: [Int?]] = ["a": [nil, nil]]
        #expect(try self.text(nothing, FormEncoder(arrays: .commas)) == "")
        #expect(try self.text(nothing, FormEncoder(arrays: .commas, nils: .null)) == "a=null,null")
    }

    @Test func `where something is wrong is said without content`() {
        let failure = #expect(throws: RequestFailure.self) { try self.text(["s3cr3t": [1, Double.nan]]) }
        #expect(failure.flatMap(Self.place) == "*[1]")
        struct Card: Encodable {
            var number: [Int: Double] = [4_111: .nan]
        }
        let problem = Request(.post, "http://a").body(json: Card()).problem
        #expect(problem.flatMap(Self.place) == "number.*")
    }

    /// Returns the place in the value that a failure names.
    ///
    /// The place is in parentheses at the end of the failure's text.
    private static func place(_ failure: RequestFailure) -> Substring? {
        guard case .bodyNotEncodable(let text) = failure else { return nil }
        return text.split(separator: "value at ").last?.prefix { $0 != " " }
    }

    @Test(arguments: [
        (FormEncoder.DateEncoding.iso8601, "1970-01-01T00:00:01Z"), (.seconds, "1"), (.milliseconds, "1000"),
        (.custom { "at \($0.timeIntervalSince1970)" }, "at 1.0"),
    ])
    func `dates have several forms`(dates: FormEncoder.DateEncoding, expected: String) throws {
        let date = Date(timeIntervalSince1970: 1)
        #expect(try self.text(["a": date], FormEncoder(dates: dates)) == "a=\(expected)")
        #expect(try self.text(["a": [date]], FormEncoder(dates: dates)) == "a[]=\(expected)")
        #expect(try self.text(["a": date as Date?], FormEncoder(dates: dates)) == "a=\(expected)")
    }

    @Test func `truth is a word or a number`() throws {
        #expect(try self.text(["a": true, "b": false]) == "a=true&b=false")
        #expect(try self.text(["a": true, "b": false], FormEncoder(bools: .numeric)) == "a=1&b=0")
    }

    @Test func `nested names have brackets or dots`() throws {
        let value = ["a": ["b": ["c": 1]]]
        #expect(try self.text(value) == "a[b][c]=1")
        #expect(try self.text(value, FormEncoder(keys: .dots)) == "a.b.c=1")
        #expect(try self.text(["a": [["b": 1]]], FormEncoder(arrays: .indexed, keys: .dots)) == "a[0].b=1")
    }

    @Test(arguments: [
        (FormEncoder.NilEncoding.omitted, "b=1"), (.empty, "a=&b=1"), (.null, "a=null&b=1"),
    ])
    func `what is nil is left out, empty or named`(nils: FormEncoder.NilEncoding, expected: String) throws {
        struct Some: Encodable {
            var a: Int?
            var b: Int? = 1
        }
        #expect(try self.text(Some(), FormEncoder(nils: nils)) == expected)
        #expect(try self.text(["a": nil, "b": 1] as [String: Int?], FormEncoder(nils: nils)) == expected)
    }

    @Test func `every kind of plain value has its form`() throws {
        struct All: Encodable {
            var a: Int8 = -1
            var b = UInt64.max
            var c = 0.5
            var d: Float = 1.5
            var e = Decimal(string: "12345678901234567890.5")
            var f = URL(string: "http://a/?b=c")
            var g = Data([1, 2, 3])
            var h = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
            var i = Size.large
            enum Size: String, Encodable { case large }
        }
        #expect(
            try self.text(All())
                == "a=-1&b=18446744073709551615&c=0.5&d=1.5&e=12345678901234567890.5&f=http://a/?b=c&g=AQID"
                + "&h=00000000-0000-0000-0000-000000000001&i=large"
        )
    }

    @Test func `a class writes what its parent has`() throws {
        class Parent: Encodable { var a = 1 }
        final class Child: Parent {
            private enum Key: CodingKey { case b }
            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(2, forKey: .b)
                try super.encode(to: container.superEncoder())
            }
        }
        #expect(try self.text(Child()) == "b=2&super[a]=1")
    }

    @Test func `a dictionary always gives the same text`() throws {
        let names = (0..<50).map { "n\($0)" }
        let value = Dictionary(uniqueKeysWithValues: names.map { ($0, 1) })
        #expect(try self.text(value) == names.sorted().map { "\($0)=1" }.joined(separator: "&"))
    }

    @Test func `what is no form is refused`() {
        #expect(throws: RequestFailure.self) { try self.text(7) }
        #expect(throws: RequestFailure.self) { try self.text("a") }
        #expect(throws: RequestFailure.self) { try self.text([1, 2]) }
        #expect(throws: RequestFailure.self) { try self.text(Int?.none) }
        #expect(throws: RequestFailure.self) { try self.text(["a": Double.nan]) }
        #expect(throws: RequestFailure.self) { try self.text(["a": Float.infinity]) }
        #expect(throws: RequestFailure.self) { try self.text(["a": Decimal.nan]) }
        #expect(throws: RequestFailure.self) { try self.text(["a": [[1]]], FormEncoder(arrays: .commas)) }
    }

    @Test func `what a value throws is named by its type, not its text`() {
        struct Broken: Encodable {
            struct Failure: Error { var secret = "s3cr3t" }
            func encode(to encoder: any Encoder) throws { throw Failure() }
        }
        #expect(throws: RequestFailure.bodyNotEncodable("the encoder threw Failure")) {
            try self.text(["a": Broken()])
        }
    }

    @Test func `a form is sent as a body`() throws {
        let request = Request(.post, "http://a").body(form: Photo(), encoder: FormEncoder(dates: .seconds))
        guard case .data(let data)? = request.body?.content else {
            Issue.record("no body")
            return
        }
        #expect(request.body?.contentType == "application/x-www-form-urlencoded")
        #expect(
            String(decoding: data, as: UTF8.self)
                == "isPublic=true&place%5Bcity%5D=M%C3%A1laga&tags%5B%5D=a&tags%5B%5D=b&taken=1.5&title=Sunset"
        )
        #expect(Request(.post, "http://a").body(form: ["a": Double.nan] as [String: Double]).problem != nil)
    }

    @Test func `a literal of names and values keeps its order`() {
        let request = Request(.post, "http://a").body(form: ["b": "1", "a": "2"])
        guard case .data(let data)? = request.body?.content else {
            Issue.record("no body")
            return
        }
        #expect(String(decoding: data, as: UTF8.self) == "b=1&a=2")
    }

    @Test func `a value is appended to the query`() {
        let request = Request(.get, "http://a/?x=1#f").query(["q": "a b&c"], encoder: FormEncoder())
        #expect(request.url.absoluteString == "http://a/?x=1&q=a%20b%26c#f")
        #expect(Request(.get, "http://a/").query([String: Int]()).url.absoluteString == "http://a/")
        #expect(Request(.get, "http://a/").query("verbose").url.absoluteString == "http://a/?verbose")
        #expect(Request(.get, "http://a/").query([1]).problem != nil)
    }

    /// WHATWG URL §5.2: the bytes that remain unchanged, and the space.
    @Test func `§5.2 what a form percent-encodes`() {
        let kept = "*-._0189AZaz"
        let request = Request(.post, "http://a").body(form: [("k", "\(kept) ~!'()+/?&=%é\u{0}")])
        guard case .data(let data)? = request.body?.content else {
            Issue.record("no body")
            return
        }
        let text = String(decoding: data, as: UTF8.self)
        #expect(text == "k=\(kept)+%7E%21%27%28%29%2B%2F%3F%26%3D%25%C3%A9%00")
    }
}
