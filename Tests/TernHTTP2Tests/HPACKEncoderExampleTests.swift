// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TernHTTP2

/// The examples with Huffman codes, which the encoder uses for each string that becomes shorter.
///
/// It therefore does not write C.2, C.3 and C.5, which have the same fields without these codes. `HPACKAppendixCTests`
/// has C.4.
@Suite("RFC 7541 Appendix C: examples, encoded")
struct HPACKEncoderExampleTests {
    /// "302" takes two bytes in the code, but "307" three, which the document uses nevertheless: `4883 640e ff`.
    @Test
    func `C.6 the encoder writes the responses as the document does, with a table of 256 bytes`() {
        var encoder = HPACKEncoder(maximumTableByteCount: 256)
        let (cache, location) = (("cache-control", "private"), ("location", "https://www.example.com"))
        let date = ("date", "Mon, 21 Oct 2013 20:13:21 GMT")
        #expect(encoder.block([]) == hex("3fe1 01"))  // the size of the table, which the document's sides agree on
        let first = hex(
            """
            4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad
            1718 63c7 8f0b 97c8 e9ae 82ae 43d3
            """
        )
        #expect(encoder.block([(":status", "302"), cache, date, location]) == first)
        #expect(encoder.block([(":status", "307"), cache, date, location]) == hex("4803 3330 37 c1 c0bf"))
        let third = hex(
            """
            88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2
            e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07
            """
        )
        let cookie = ("set-cookie", "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1")
        let later = ("date", "Mon, 21 Oct 2013 20:13:22 GMT")
        let last = encoder.block([(":status", "200"), cache, later, location, ("content-encoding", "gzip"), cookie])
        #expect(last == third)
    }
}
