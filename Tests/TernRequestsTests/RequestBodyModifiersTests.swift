// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernErrors
import TernFoundation
import TernRequests
import Testing

@Suite("Modifiers of a request: bodies")
struct RequestBodyModifiersTests {
    private struct Photo: Codable, Equatable {
        var title: String
        var takenAt: Double
    }

    private struct Failing: Encodable {
        struct Failure: Error { var secret = "hunter2" }
        func encode(to encoder: any Encoder) throws { throw Failure() }
    }

    private let request = Request(.post, "https://example.com")

    private func text(of request: Request) -> String? {
        guard case .data(let data) = request.body?.content else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    @Test func `a value is sent as JSON`() throws {
        let photo = Photo(title: "Sunset", takenAt: 1.5)
        let request = self.request.body(json: photo)
        let text = try #require(self.text(of: request))
        #expect(try JSONDecoder().decode(Photo.self, from: Data(text.utf8)) == photo)
        #expect(request.body?.contentType == "application/json")
        #expect(request.body?.length == Int64(text.utf8.count))
        #expect(request.body?.isReplayable == true)
    }

    @Test func `the caller's encoder is used`() {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = .sortedKeys
        let request = self.request.body(json: Photo(title: "a", takenAt: 2.5), encoder: encoder)
        #expect(self.text(of: request) == #"{"taken_at":2.5,"title":"a"}"#)
    }

    @Test func `a value that JSON cannot say is remembered, with its place`() throws {
        let request = self.request.body(json: ["list": [Photo(title: "a", takenAt: .infinity)]])
        guard case .bodyNotEncodable(let reason) = try #require(request.problem) else {
            Issue.record("\(String(describing: request.problem))")
            return
        }
        // The dictionary's key may be secret.
        #expect(reason == "the value at *[0].takenAt is infinity, which is not a finite number")
        #expect(request.body == nil)
        #expect(throws: RequestFailure.self) { try request.destination() }
    }

    @Test func `a number that is not finite is named`() throws {
        func reason(_ value: some Encodable) -> RequestFailure? { self.request.body(json: value).problem }
        let names: [(Double, String)] = [
            (.nan, "NaN"), (.signalingNaN, "NaN"), (.infinity, "infinity"), (-.infinity, "minus infinity"),
        ]
        for (number, name) in names {
            let text = "is \(name), which is not a finite number"
            #expect(reason(Photo(title: "a", takenAt: number)) == .bodyNotEncodable("the value at takenAt \(text)"))
            #expect(reason([1, number]) == .bodyNotEncodable("the value at [1] \(text)"))
            #expect(reason(Float(number)) == .bodyNotEncodable("the value \(text)"))
            guard case .bodyNotEncodable(let place)? = self.request.body(jsonText: #"{"a": \#(number)}"#).problem else {
                Issue.record("JSON text takes \(name)")
                continue
            }
            #expect(place == "the value \(text)")
        }
    }

    @Test func `any other value that an encoder rejects is not told`() {
        struct Secret: Encodable {
            func encode(to encoder: any Encoder) throws {
                let context = EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "hunter2")
                throw EncodingError.invalidValue("hunter2", context)
            }
        }
        let problem = self.request.body(json: Secret()).problem
        #expect(problem == .bodyNotEncodable("the value was rejected by the encoder"))
    }

    @Test func `of an unknown failure only the type is told`() {
        #expect(self.request.body(json: Failing()).problem == .bodyNotEncodable("the encoder threw Failure"))
    }

    @Test func `a form keeps the order of its pairs, and doubles`() {
        let request = self.request.body(form: ["b": "1", "a": "2", "b": "3"])
        #expect(self.text(of: request) == "b=1&a=2&b=3")
        #expect(request.body?.contentType == "application/x-www-form-urlencoded")
    }

    static let forms: [(pairs: [(String, String)], text: String)] = [
        ([], ""), ([("", "")], "="), ([("a", "b c")], "a=b+c"), ([("a&b", "c=d")], "a%26b=c%3Dd"),
        ([("ü", "100%")], "%C3%BC=100%25"), ([("a", "1+1")], "a=1%2B1"), ([("a", "x\r\ny")], "a=x%0D%0Ay"),
    ]

    @Test(arguments: forms.indices)
    func `a form is encoded as HTML says`(index: Int) {
        let form = Self.forms[index]
        #expect(self.text(of: self.request.body(form: form.pairs)) == form.text)
    }

    @Test func `a multipart body has its boundary in its media type`() throws {
        let form = Multipart().field("a", "b")
        let request = self.request.body(multipart: form)
        #expect(request.body?.contentType == "multipart/form-data; boundary=\(form.boundary)")
        #expect(self.text(of: request) == String(decoding: try form.encode(), as: UTF8.self))
    }

    @Test func `a multipart body that holds its boundary is remembered`() {
        let form = Multipart()
        let request = self.request.body(multipart: form.field("a", "x\(form.boundary)y"))
        #expect(request.problem == .boundaryOccursInPart)
        #expect(request.body == nil)
    }

    @Test func `a file is kept as its URL`() {
        let file = URL(filePath: "/tmp/photo.jpg")
        let request = self.request.body(file: file, contentType: "image/jpeg")
        guard case .file(let url) = request.body?.content else {
            Issue.record("no file")
            return
        }
        #expect(url == file)
        #expect(request.body?.contentType == "image/jpeg")
    }

    @Test func `bytes are sent as they are`() {
        let request = self.request.body(data: Data("abc".utf8))
        #expect(self.text(of: request) == "abc")
        #expect(request.body?.contentType == nil)
    }

    @Test func `a stream has its length and its media type`() {
        let stream = AsyncStream<[UInt8]> { $0.finish() }
        let request = self.request.body(stream: stream, length: 7, contentType: "text/plain")
        #expect(request.body?.length == 7)
        #expect(request.body?.isReplayable == false)
        #expect(request.body?.contentType == "text/plain")
    }

    @Test func `a media type with a line break is refused`() {
        let request = self.request.body(data: Data(), contentType: "a/b\r\nX: y")
        #expect(request.problem == .malformedFieldValue(name: "Content-Type"))
        #expect(request.body(data: Data(), contentType: "a/b").problem == nil)
    }
}
