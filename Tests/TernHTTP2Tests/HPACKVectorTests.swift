// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TernHTTP2

@Suite("HPACK of another implementation")
struct HPACKVectorTests {
    @Test(arguments: [HPACKVectors.huffman, HPACKVectors.plain, HPACKVectors.tableSizes])
    func `its blocks are decoded`(blocks: [HPACKVectors.Block]) throws {
        var decoder = HPACKDecoder()
        for (block, lines) in blocks { #expect(try decoder.lines(of: hex(block)) == lines) }
    }

    @Test(arguments: [HPACKVectors.huffman, HPACKVectors.plain, HPACKVectors.tableSizes])
    func `its fields come back`(blocks: [HPACKVectors.Block]) throws {
        var (encoder, decoder) = (HPACKEncoder(), HPACKDecoder())
        for (_, lines) in blocks {
            let fields = lines.map { line in
                // The name of a pseudo-field begins with a colon, which does not end the name.
                let colon = line.dropFirst().firstIndex(of: ":") ?? line.endIndex
                return (String(line[..<colon]), String(line[line.index(after: colon)...]))
            }
            #expect(try decoder.lines(of: encoder.block(fields)) == lines)
        }
    }
}
