// SPDX-License-Identifier: Apache-2.0
import TernTesting

/// The attacks that the tests of `TernHTTP2` try on the state machine, for a client with its driver.
extension HTTP2Attack {
    private static let head = HTTP2Output.headers(1, [(":status", "200")])
    private static let fine = HTTP2Output.headers(1, [(":status", "200")], endsStream: true)
    private static let long = String(repeating: "y", count: 1000)

    /// Returns HEADERS with a field block that ends with these bytes, after `:status: 200` from the static table.
    private static func block(_ bytes: [UInt8]) -> HTTP2Output { .frame(1, flags: 0x5, 1, [0x88] + bytes) }

    /// Floods; the call waits for its response on stream 1.
    static let floods: [HTTP2Attack] = [
        HTTP2Attack("flood of answers to PING", .ping(1, isAnswer: true), count: 1100),
        HTTP2Attack(
            "flood of SETTINGS that change windows",
            .settings([HTTP2Setting(identifier: 4, value: 70_000), HTTP2Setting(identifier: 1, value: 0)]),
            count: 200
        ),
        HTTP2Attack("flood of WINDOW_UPDATE for a stream", .windowUpdate(1, 1), count: 2100),
        HTTP2Attack("flood of PRIORITY", .frame(2, 1, [0, 0, 0, 0, 15]), count: 1100),
        HTTP2Attack("flood of PRIORITY for an idle stream", .frame(2, 99, [0, 0, 0, 0, 15]), count: 1100),
        HTTP2Attack("flood of ALTSVC", .frame(10, 0, [0, 0]), count: 1100),
        HTTP2Attack("flood of ORIGIN", .frame(12, 0, [0, 1, 65]), count: 1100),
        HTTP2Attack("flood of GOAWAY", .goAway(last: 0x7FFF_FFFF), count: 1100),
        HTTP2Attack("flood of empty CONTINUATION", .frame(9, 1), count: 100, after: [.frame(1, 1, [0x88])]),
        HTTP2Attack("flood of padding alone", .data(1, [], padding: 255), count: 1100, after: [Self.head]),
        HTTP2Attack("flood of padding of no bytes", .data(1, [], padding: 0), count: 1100, after: [Self.head]),
    ]

    /// Attacks by the compression of fields.
    static let compression: [HTTP2Attack] = [
        HTTP2Attack(
            "an entry of the table, again and again (CVE-2016-6581)",
            "RFC 9113 §10.5.1",
            Self.block(
                [0x40, 1, 0x61, 0x7F, 0x80, 0x1E] + [UInt8](repeating: 0x62, count: 127 + 3840)
                    + [UInt8](repeating: 0xBE, count: 12_000)
            )
        ),
        HTTP2Attack(
            "a list of fields far over the limit",
            "RFC 9113 §10.5.1",
            .headers(1, [(":status", "200")] + Array(repeating: ("x", Self.long), count: 520))
        ),
        HTTP2Attack(
            "CONTINUATION with more and more fields",
            "RFC 9113 §10.5.1",
            [.frame(1, 1, [0x88])]
                + Array(repeating: .frame(9, 1, [UInt8](repeating: 0x88, count: 16_384)), count: 40)
        ),
        HTTP2Attack("a table over the limit", "RFC 7541 §6.3", .frame(1, flags: 0x5, 1, [0x3F, 0xE2, 0x1F, 0x88])),
        HTTP2Attack("a size of the table within a block", "RFC 7541 §4.2", Self.block([0x20])),
        HTTP2Attack("three sizes of the table", "RFC 7541 §4.2", .frame(1, flags: 0x5, 1, [0x20, 0x20, 0x20, 0x88])),
        HTTP2Attack(
            "an integer that overflows",
            "RFC 7541 §5.1",
            Self.block([0x7F] + [UInt8](repeating: 0xFF, count: 20) + [0x01])
        ),
        HTTP2Attack(
            "an integer without end",
            "RFC 7541 §5.1",
            Self.block([0x7F] + [UInt8](repeating: 0x80, count: 100))
        ),
        HTTP2Attack(
            "a string of a gibibyte",
            "RFC 7541 §5.1",
            Self.block([0x10, 1, 0x78, 0x7F, 0x81, 0xFF, 0xFF, 0xFF, 0x03])
        ),
        HTTP2Attack(
            "the end-of-string symbol of Huffman",
            "RFC 7541 §5.2",
            Self.block([0x10, 1, 0x78, 0x84, 0xFF, 0xFF, 0xFF, 0xFF])
        ),
        HTTP2Attack("Huffman padding of a byte", "RFC 7541 §5.2", Self.block([0x10, 1, 0x78, 0x82, 0x1F, 0xFF])),
        HTTP2Attack("Huffman padding of zeros", "RFC 7541 §5.2", Self.block([0x10, 1, 0x78, 0x81, 0x18])),
    ]

    /// Lists of fields that are too long, but end only the stream, because the client can decode them.
    static let longLists: [HTTP2Attack] = [
        HTTP2Attack(
            "a list of fields over the limit",
            "RFC 9113 §10.5.1",
            .headers(1, [(":status", "200")] + Array(repeating: ("x", Self.long), count: 300))
        ),
        HTTP2Attack(
            "too many fields",
            "RFC 9113 §10.5.1",
            .headers(1, [(":status", "200")] + Array(repeating: ("x", "y"), count: 1001))
        ),
        HTTP2Attack(
            "trailers over the limit",
            "RFC 9113 §10.5.1",
            Self.head,
            .headers(1, Array(repeating: ("x", Self.long), count: 300), endsStream: true)
        ),
    ]

    /// Floods for stream 1, whose response is complete, while a call waits on stream 3.
    static let onClosedStream: [HTTP2Attack] = [
        HTTP2Attack("DATA", .data(1, [1]), count: 250),
        HTTP2Attack("HEADERS", Self.head, count: 250),
        HTTP2Attack("HEADERS that end the stream", Self.fine, count: 250),
        HTTP2Attack("RST_STREAM", .reset(1, 8), count: 1100),
        HTTP2Attack("WINDOW_UPDATE", .windowUpdate(1, 1), count: 2100),
        HTTP2Attack("PRIORITY", .frame(2, 1, [0, 0, 0, 0, 15]), count: 1100),
        HTTP2Attack("PRIORITY of a wrong length", .frame(2, 1, [0]), count: 250),
    ]

    private init(_ name: String, _ section: String, _ frames: [HTTP2Output]) {
        self.init(name, section)
        self.frames = frames
    }
}
