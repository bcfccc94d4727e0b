// SPDX-License-Identifier: Apache-2.0
import TernFoundation
import Testing

@testable import TernCommand

@Suite("What the demo is made of")
struct DemoTests {
    @Test func `a picture that is made can be read`() throws {
        let image = try #require(DemoImage(Data(DemoImage.make(width: 3, height: 2))))
        #expect(image.width == 3 && image.height == 2)
    }

    @Test(arguments: ["", "P6", "P6\n3 2\n255\n", "P5\n3 2\n255\n12345678", "no such photo\n"])
    func `what is no picture is refused`(text: String) {
        #expect(DemoImage(Data(text.utf8)) == nil)
    }

    @Test func `a checksum differs when a byte does`() {
        let sums = (0..<20).map { place in
            var bytes = [UInt8](repeating: 7, count: 20)
            bytes[place] = 8
            return bytes.withUnsafeBytes { DemoPhoto.checksum(of: $0) }
        }
        #expect(Set(sums).count == 20)
    }

    @Test func `every chapter has a title of its own`() {
        #expect(Set(DemoStory.chapters.map(\.title)).count == DemoStory.chapters.count)
    }
}
