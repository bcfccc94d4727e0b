// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernFoundation
import TernRequests
import TestSupport
import Testing

@Suite("RFC 7578: multipart bodies, encoded")
struct MultipartEncodingTests {
    private static let form: Multipart = {
        var generator = SeededGenerator(seed: 7)
        return Multipart(using: &generator)
    }()

    private func text(_ form: Multipart) throws -> String { String(decoding: try form.encode(), as: UTF8.self) }

    @Test func `each part has a head, an empty line and its bytes`() throws {
        let form = Self.form
            .field("title", "Sunset")
            .file("photo", Data("JPEG".utf8), filename: "a.jpg", contentType: "image/jpeg")
        let boundary = form.boundary
        let expected = """
            --\(boundary)\r
            Content-Disposition: form-data; name="title"\r
            \r
            Sunset\r
            --\(boundary)\r
            Content-Disposition: form-data; name="photo"; filename="a.jpg"\r
            Content-Type: image/jpeg\r
            \r
            JPEG\r
            --\(boundary)--\r

            """
        #expect(try self.text(form) == expected)
        #expect(form.contentType == "multipart/form-data; boundary=\(boundary)")
    }

    @Test func `without parts there is the last boundary only`() throws {
        #expect(try self.text(Self.form) == "--\(Self.form.boundary)--\r\n")
    }

    @Test func `bytes are not changed`() throws {
        let bytes = Data((0...255).map { UInt8($0) } + Array("\r\n--\r\n".utf8))
        let encoded = Array(try Self.form.file("a", bytes, filename: "b").encode())
        let tail = Array("\r\n--\(Self.form.boundary)--\r\n".utf8)
        #expect(encoded.suffix(tail.count) == tail[...])
        expectEqual(Data(encoded.dropLast(tail.count).suffix(bytes.count)), bytes)
    }

    @Test func `a slice of data is sent as its bytes`() throws {
        let slice = Data("xxabc".utf8)[2...]
        #expect(try self.text(Self.form.part(.init(name: "a", data: slice))).contains("\r\n\r\nabc\r\n--"))
    }

    /// The examples of the Web Platform Tests, `multipart-formdata.window.js`.
    @Test(arguments: [
        ("a\nb", "a%0D%0Ab", "a%0Ab"), ("a\rb", "a%0D%0Ab", "a%0Db"), ("a\r\nb", "a%0D%0Ab", "a%0D%0Ab"),
        ("a\n\rb", "a%0D%0A%0D%0Ab", "a%0A%0Db"), ("\r\r\n\n", "%0D%0A%0D%0A%0D%0A", "%0D%0D%0A%0A"),
    ])
    func `ends of lines in a name become CRLF, and those in the name of a file stay`(
        text: String,
        name: String,
        filename: String
    ) throws {
        let encoded = try self.text(Self.form.file(text, Data(), filename: text))
        #expect(encoded.contains("form-data; name=\"\(name)\"; filename=\"\(filename)\"\r\n"))
        #expect(try self.text(Self.form.field(text, text)).contains("name=\"\(name)\"\r\n\r\n\(text)\r\n"))
    }

    static let names: [(name: String, escaped: String)] = [
        ("a", "a"), ("", ""), ("a\"b", "a%22b"), ("a\r\nb", "a%0D%0Ab"), ("ü 🐦", "ü 🐦"),
        ("a%22b", "a%22b"), ("a\\b", "a\\b"), ("a;b", "a;b"), ("x\"; filename=\"y", "x%22; filename=%22y"),
    ]

    @Test(arguments: names)
    func `names and file names cannot end their quotes or their line`(name: String, escaped: String) throws {
        let text = try self.text(Self.form.file(name, Data(), filename: name))
        let expected = "Content-Disposition: form-data; name=\"\(escaped)\"; filename=\"\(escaped)\"\r\n"
        #expect(text.contains(expected))
    }

    @Test func `NUL in a name is refused`() {
        #expect(throws: RequestFailure.malformedFieldValue(name: "Content-Disposition")) {
            try Self.form.field("a\0", "b").encode()
        }
        #expect(throws: RequestFailure.malformedFieldValue(name: "Content-Disposition")) {
            try Self.form.file("a", Data(), filename: "\0").encode()
        }
    }

    @Test(arguments: ["a/b\r\nX: y", "a\n", "\0"])
    func `a media type cannot end its line`(contentType: String) {
        #expect(throws: RequestFailure.malformedFieldValue(name: "Content-Type")) {
            try Self.form.file("a", Data(), filename: "b", contentType: contentType).encode()
        }
    }

    @Test(arguments: ["", "x", "\r\n--", "x\r\n--"], ["", "x", "--\r\n"])
    func `the boundary must not occur in a part`(before: String, after: String) {
        let boundary = Self.form.boundary
        #expect(throws: RequestFailure.boundaryOccursInPart) {
            try Self.form.field("a", before + boundary + after).encode()
        }
        #expect(throws: RequestFailure.boundaryOccursInPart) {
            try Self.form.field("ok", "ok").field("a\(boundary)", "b").encode()
        }
    }

    @Test func `nearly the boundary may occur in a part`() throws {
        let boundary = Self.form.boundary
        let nearly = ["--\(boundary.dropLast())", String(boundary.dropFirst())]
        let text = try self.text(Self.form.field("a", nearly[0]).field("b", nearly[1]))
        for part in nearly { #expect(text.contains("\r\n\r\n\(part)\r\n--\(boundary)")) }
    }

    @Test func `a large part is encoded whole`() throws {
        let data = Data(repeating: UInt8(ascii: "-"), count: 1 << 20)
        #expect(try Self.form.file("a", data, filename: "b").encode().count > data.count)
    }
}
