// SPDX-License-Identifier: Apache-2.0

/// Returns a frame like a server writes it, with the given first byte, the shortest form of the length, and no mask.
func frame(_ first: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
    let length: [UInt8] =
        switch payload.count {
        case ...125: [UInt8(payload.count)]
        case ...0xFFFF: [126] + bigEndian(UInt16(payload.count))
        default: [127] + bigEndian(UInt64(payload.count))
        }
    return [first] + length + payload
}

/// Returns a frame with a text as its payload.
func frame(_ first: UInt8, _ payload: String) -> [UInt8] { frame(first, Array(payload.utf8)) }

/// Returns a Close frame.
func closeFrame(_ code: UInt16, _ reason: String = "") -> [UInt8] { frame(0x88, bigEndian(code) + reason.utf8) }

/// Returns the bytes of a number in network byte order.
func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
