// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import TernHTTP2

@Suite("HPACKEncoder")
struct HPACKEncoderTests {
    @Test
    func `the peer's table sizes are signaled, the smallest and the last`() throws {
        var (encoder, decoder) = (HPACKEncoder(), HPACKDecoder())
        _ = try decoder.lines(of: encoder.block([("a", "b")]))
        encoder.peerAllows(tableByteCount: 0)
        encoder.peerAllows(tableByteCount: 100)
        encoder.peerAllows(tableByteCount: 8192)
        let block = encoder.block([("a", "b")])
        #expect(block.starts(with: hex("20 3f e1 1f 40")))
        #expect(try decoder.lines(of: block) == ["a:b"])
        encoder.peerAllows(tableByteCount: 30)
        #expect(encoder.block([]) == hex("3e"))
        encoder.peerAllows(tableByteCount: 10)
        encoder.peerAllows(tableByteCount: 20)
        #expect(encoder.block([]) == hex("2a 34"))
        #expect(encoder.block([]).isEmpty)
        #expect(encoder.tableByteCount == 20)
    }

    @Test
    func `a raised size is not used beyond what this side wants`() {
        var encoder = HPACKEncoder(maximumTableByteCount: 4096)
        encoder.peerAllows(tableByteCount: 65_536)
        #expect(encoder.block([]).isEmpty)
        var large = HPACKEncoder(maximumTableByteCount: 65_536)
        #expect(large.block([]).isEmpty)
        large.peerAllows(tableByteCount: 65_536)
        #expect(large.block([]) == hex("3f e1 ff 03"))
        var none = HPACKEncoder(maximumTableByteCount: 0)
        #expect(none.block([("a", "b")]) == hex("20 00 01 61 01 62"))
    }

    @Test
    func `what is secret is in no table and is looked for in none`() {
        var encoder = HPACKEncoder()
        let field = ("authorization", "Basic YTpi")
        let first = encoder.block([field], .never)
        #expect(first[0] == 0x1F)
        #expect(encoder.block([field], .never) == first)
        #expect(encoder.block([field], .none)[0] == 0x0F)
    }

    @Test
    func `an entry that would fill most of the table is not inserted`() {
        var encoder = HPACKEncoder()
        let field = ("x", String(repeating: "\u{7F}", count: 3050))
        #expect(encoder.block([field])[0] == 0)
        #expect(encoder.block([field])[0] == 0)
    }

    @Test
    func `fields of any kind come back, also when entries are evicted`() throws {
        var (encoder, decoder) = (HPACKEncoder(), HPACKDecoder())
        var generator = SeededGenerator(seed: 9113)
        for round in 0..<600 {
            if round % 97 == 96 { encoder.peerAllows(tableByteCount: Int.random(in: 0...5000, using: &generator)) }
            let fields = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
                let name = ["accept", "x-\(UInt8.random(in: 0...40, using: &generator))", "cookie", "date"]
                    .randomElement(
                        using: &generator
                    )
                let byteCount = Int.random(in: 0...200, using: &generator)
                let kind = UInt8.random(in: 0...30, using: &generator)
                return (name ?? "", String(repeating: "\(kind)~", count: kind < 10 ? Int(kind) : byteCount))
            }
            let indexing: HPACKEncoder.Indexing = [.incremental, .incremental, .none, .never][round % 4]
            let lines = try decoder.lines(of: encoder.block(fields, indexing))
            #expect(lines == fields.map { "\($0):\($1)" })
        }
        #expect(decoder.table.byteCount <= 4096)
    }
    @Test
    func `repeated fields come back, whatever happens between`() throws {
        var generator = SeededGenerator(seed: 7541)
        let common = [(":method", "GET"), (":scheme", "https"), (":authority", "example.com"), ("user-agent", "Tern")]
        for _ in 0..<200 {
            var (encoder, decoder) = (HPACKEncoder(), HPACKDecoder())
            for _ in 0..<30 {
                var fields = common
                switch UInt8.random(in: 0...9, using: &generator) {
                case 0: fields.append(("x-new", "\(UInt8.random(in: 0...255, using: &generator))"))
                case 1: fields.insert(("x-new", "\(UInt8.random(in: 0...255, using: &generator))"), at: 0)
                case 2: fields.remove(at: Int.random(in: 0..<4, using: &generator))
                case 3: fields.swapAt(0, Int.random(in: 1..<4, using: &generator))
                case 4: fields = []
                case 5: encoder.peerAllows(tableByteCount: Int.random(in: 0...200, using: &generator))
                default: break
                }
                let lines = try decoder.lines(of: encoder.block(fields))
                #expect(lines == fields.map { "\($0):\($1)" })
            }
        }
    }

    @Test
    func `a repeated field takes the bytes of its entry, which moves`() throws {
        var encoder = HPACKEncoder()
        _ = encoder.block([("a", "b")])
        for _ in 0..<3 { #expect(encoder.block([("a", "b")]) == hex("be")) }
        _ = encoder.block([("c", "d")])
        for _ in 0..<3 { #expect(encoder.block([("a", "b"), ("c", "d")]) == hex("bf be")) }
        encoder.peerAllows(tableByteCount: 0)
        _ = encoder.block([])
        #expect(encoder.block([("a", "b")]) == hex("00 01 61 01 62"))
    }
}
