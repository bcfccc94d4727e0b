// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TernHTTP2

@Suite("RFC 7541 Appendix C: examples")
struct HPACKAppendixCTests {
    @Test
    func `C.1 integers`() throws {
        for (value, prefix, bytes) in [(10, 5, [10]), (1337, 5, [31, 154, 10]), (42, 8, [42])] as [(Int, Int, [UInt8])]
        {
            var output: [UInt8] = []
            HPACKInteger.encode(value, prefixBitCount: prefix, pattern: 0, into: &output)
            #expect(output == bytes)
            #expect(try Self.integer(bytes, prefix) == value)
        }
    }

    @Test(arguments: [
        ("400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572", "custom-key:custom-header", 55),
        ("040c 2f73 616d 706c 652f 7061 7468", ":path:/sample/path", 0),
        ("1008 7061 7373 776f 7264 0673 6563 7265 74", "password:secret", 0),
        ("82", ":method:GET", 0),
    ])
    func `C.2 fields`(block: String, line: String, tableByteCount: Int) throws {
        var decoder = HPACKDecoder()
        #expect(try decoder.lines(of: hex(block)) == [line])
        #expect(decoder.table.byteCount == tableByteCount)
    }

    @Test(arguments: [
        [
            "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d", "8286 84be 5808 6e6f 2d63 6163 6865",
            "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65",
        ],
        [
            "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff", "8286 84be 5886 a8eb 1064 9cbf",
            "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf",
        ],
    ])
    func `C.3 and C.4 requests`(blocks: [String]) throws {
        var decoder = HPACKDecoder()
        let www = ":authority:www.example.com"
        #expect(try decoder.lines(of: hex(blocks[0])) == [":method:GET", ":scheme:http", ":path:/", www])
        #expect(decoder.table.byteCount == 57)
        let second = try decoder.lines(of: hex(blocks[1]))
        #expect(second == [":method:GET", ":scheme:http", ":path:/", www, "cache-control:no-cache"])
        #expect(decoder.table.byteCount == 110)
        let third = try decoder.lines(of: hex(blocks[2]))
        #expect(third == [":method:GET", ":scheme:https", ":path:/index.html", www, "custom-key:custom-value"])
        #expect(decoder.table.byteCount == 164)
        #expect(decoder.table.count == 3)
    }

    @Test(arguments: [
        [
            """
            4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32
            3120 474d 546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d
            """,
            "4803 3330 37c1 c0bf",
            """
            88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970
            7738 666f 6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178 2d61
            6765 3d33 3630 303b 2076 6572 7369 6f6e 3d31
            """,
        ],
        [
            """
            4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad
            1718 63c7 8f0b 97c8 e9ae 82ae 43d3
            """,
            "4883 640e ffc1 c0bf",
            """
            88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2
            e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07
            """,
        ],
    ])
    func `C.5 and C.6 responses, with a table of 256 bytes`(blocks: [String]) throws {
        var decoder = HPACKDecoder(maximumTableByteCount: 256)
        let location = "location:https://www.example.com"
        #expect(
            try decoder.lines(of: hex(blocks[0])) == [
                ":status:302", "cache-control:private", "date:Mon, 21 Oct 2013 20:13:21 GMT", location,
            ]
        )
        #expect(decoder.table.byteCount == 222)
        #expect(
            try decoder.lines(of: hex(blocks[1])) == [
                ":status:307", "cache-control:private", "date:Mon, 21 Oct 2013 20:13:21 GMT", location,
            ]
        )
        #expect(decoder.table.byteCount == 222)
        #expect(
            try decoder.lines(of: hex(blocks[2])) == [
                ":status:200", "cache-control:private", "date:Mon, 21 Oct 2013 20:13:22 GMT", location,
                "content-encoding:gzip", "set-cookie:foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1",
            ]
        )
        #expect(decoder.table.byteCount == 215)
        #expect(decoder.table.count == 3)
    }

    @Test
    func `C.4 the encoder writes the requests as the document does`() {
        var encoder = HPACKEncoder()
        let (method, path, www) = ((":method", "GET"), (":path", "/"), (":authority", "www.example.com"))
        let first = encoder.block([method, (":scheme", "http"), path, www])
        #expect(first == hex("8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff"))
        let second = encoder.block([method, (":scheme", "http"), path, www, ("cache-control", "no-cache")])
        #expect(second == hex("8286 84be 5886 a8eb 1064 9cbf"))
        let third = encoder.block([
            method, (":scheme", "https"), (":path", "/index.html"), www, ("custom-key", "custom-value"),
        ])
        #expect(third == hex("8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf"))
    }

    private static func integer(_ bytes: [UInt8], _ prefix: Int) throws(HTTP2Violation) -> Int {
        try HPACKIntegerTests.decode(bytes, prefix)
    }
}
