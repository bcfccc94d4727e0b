// SPDX-License-Identifier: Apache-2.0

/// One frame as a server writes it: the first byte as given, the shortest length, no mask.
func frame(_ first: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
    let length: [UInt8] =
        switch payload.count {
        case ...125: [UInt8(payload.count)]
        case ...0xFFFF: [126] + bigEndian(UInt16(payload.count))
        default: [127] + bigEndian(UInt64(payload.count))
        }
    return [first] + length + payload
}

/// One frame with text as its payload.
func frame(_ first: UInt8, _ payload: String) -> [UInt8] { frame(first, Array(payload.utf8)) }

/// A Close frame.
func closeFrame(_ code: UInt16, _ reason: String = "") -> [UInt8] { frame(0x88, bigEndian(code) + reason.utf8) }

/// A number in network order.
func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
