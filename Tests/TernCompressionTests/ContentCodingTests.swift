// SPDX-License-Identifier: Apache-2.0

import TernCompression
import Testing

@Suite("ContentCoding")
struct ContentCodingTests {
    @Test(arguments: ["gzip", "GZIP", "x-gzip", "X-GZip"])
    func `gzip has two names`(_ token: String) {
        #expect(ContentCoding(token) == .gzip)
        #expect(ContentCoding("a, \(token)".dropFirst(3)) == .gzip)
    }

    @Test(arguments: ["deflate", "Deflate"])
    func `deflate has one name`(_ token: String) {
        #expect(ContentCoding(token) == .deflate)
    }

    // The last name has a dotted capital I, whose lower case begins with an i.
    @Test(arguments: ["", "br", "identity", "zstd", "gzip ", " gzip", "gzipp", "x-deflate", "compress", "GZ\u{130}P"])
    func `others are not known`(_ token: String) {
        #expect(ContentCoding(token) == nil)
    }

    @Test
    func `a token names its coding`() {
        for coding in [ContentCoding.gzip, .deflate] { #expect(ContentCoding(coding.token) == coding) }
        #expect(ContentCoding.gzip.token == "gzip")
    }
}
