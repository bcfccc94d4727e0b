// SPDX-License-Identifier: Apache-2.0
import TernFoundation
import TernRequests
import TestSupport
import Testing

@Suite("Multipart bodies: their parts")
struct MultipartTests {
    @Test func `parts are kept in order`() {
        let form = Multipart()
            .field("title", "Sunset")
            .file("photo", Data([1]), filename: "a.jpg", contentType: "image/jpeg")
            .file("raw", Data([2]), filename: "b")
            .part(.init(name: "note", data: Data(), contentType: "text/markdown"))
        #expect(
            form.parts == [
                .init(name: "title", data: Data("Sunset".utf8)),
                .init(name: "photo", data: Data([1]), filename: "a.jpg", contentType: "image/jpeg"),
                .init(name: "raw", data: Data([2]), filename: "b", contentType: "application/octet-stream"),
                .init(name: "note", data: Data(), contentType: "text/markdown"),
            ]
        )
    }

    @Test func `adding leaves the original`() {
        let form = Multipart()
        _ = form.field("a", "b")
        #expect(form.parts.isEmpty)
    }

    @Test func `a boundary is as long as all others, and legal`() {
        for seed in 0..<100 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let boundary = Multipart(using: &generator).boundary
            // "Boundary delimiters […] 1 to 70 characters" (RFC 2046 §5.1.1). The boundary has only characters that
            // need no quotes.
            #expect(boundary.utf8.count == 37)
            #expect(boundary.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789-".contains($0) })
        }
    }

    @Test func `a generator decides the boundary`() {
        var (one, same, other) = (SeededGenerator(seed: 1), SeededGenerator(seed: 1), SeededGenerator(seed: 2))
        let boundary = Multipart(using: &one).boundary
        #expect(boundary == Multipart(using: &same).boundary)
        #expect(boundary != Multipart(using: &other).boundary)
        #expect(boundary != Multipart(using: &one).boundary)
    }

    @Test func `no two boundaries are alike`() {
        #expect(Set((0..<100).map { _ in Multipart().boundary }).count == 100)
    }

    @Test func `adding parts keeps the boundary`() {
        let form = Multipart()
        #expect(form.field("a", "b").boundary == form.boundary)
    }
}
