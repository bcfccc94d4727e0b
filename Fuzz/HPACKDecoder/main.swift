// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import TernFields
import TernHTTP2

/// Decodes field blocks one after the other, and traps if encoding and decoding their fields again changes the fields.
///
/// The first byte chooses the size of the table. The rest consists of blocks, each preceded by a byte with its length.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHPACKDecoder(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    guard count >= 1 else { return 0 }
    var rest = Array(UnsafeBufferPointer(start: start + 1, count: count - 1))[...]
    let tableByteCount = [4096, 0, 64, 256][Int(start[0] & 3)]
    var decoder = HPACKDecoder(maximumTableByteCount: tableByteCount)
    var (encoder, mirror) = (HPACKEncoder(), HPACKDecoder())
    var lines = FieldLines(maximumByteCount: 4096, largestByteCount: 8192)
    while let length = rest.popFirst() {
        let block = Array(rest.prefix(Int(length)))
        rest = rest.dropFirst(Int(length))
        lines.removeAll()
        do throws(HTTP2Violation) {
            try decoder.decode(block.span.bytes, into: &lines)
        } catch {
            precondition(error.scope == .connection, "a block failed without ending the connection")
            precondition(!error.section.isEmpty)
            return 0
        }
        precondition(lines.roomByteCount <= 64 << 10, "the list takes more memory than its limit")
        precondition(lines.listByteCount <= 8192, "the list is longer than its limit")
        check(lines, &encoder, &mirror)
    }
    return 0
}

/// Encodes the fields of a valid list, decodes them again, and checks that they are the same.
func check(_ lines: FieldLines, _ encoder: inout HPACKEncoder, _ mirror: inout HPACKDecoder) {
    guard lines.fault == nil else { return }
    precondition(lines.listByteCount <= 4096, "the list is longer than its limit, without a fault")
    let fields = lines.makeSection().makeHTTPFields()
    precondition(fields.count == lines.count, "a field was lost")
    var block: [UInt8] = []
    encoder.beginBlock(into: &block)
    for field in fields {
        Array(field.name.canonicalName.utf8).withUnsafeBytes { name in
            field.withUnsafeBytesOfValue { value in
                encoder.encode(name: name, value: UnsafeRawBufferPointer(value), .incremental, into: &block)
            }
        }
    }
    var again = FieldLines(maximumByteCount: 1 << 20, largestByteCount: 1 << 20)
    guard (try? mirror.decode(block.span.bytes, into: &again)) != nil else {
        preconditionFailure("the decoder refuses a block of the encoder")
    }
    precondition(again.makeSection().makeHTTPFields() == fields, "the fields did not come back")
}
