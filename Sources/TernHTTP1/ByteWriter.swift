// SPDX-License-Identifier: Apache-2.0

/// A writer that adds bytes after the initialized bytes of an output span: all unsafe writes of the encoders are here.
///
/// A writer exists only inside a `withUnsafeMutableBytes` closure. Each write traps if there is no room, also in release builds.
struct ByteWriter {
    private let buffer: UnsafeMutableRawBufferPointer
    private(set) var position: Int

    init(_ buffer: UnsafeMutableRawBufferPointer, position: Int) { (self.buffer, self.position) = (buffer, position) }

    @inline(__always)
    mutating func write(_ byte: UInt8) {
        precondition(self.position < self.buffer.count, "the output span is full")
        self.buffer[self.position] = byte
        self.position += 1
    }

    @inline(__always)
    mutating func write(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, let target = self.buffer.baseAddress else { return }
        precondition(bytes.count <= self.buffer.count - self.position, "the output span is full")
        (target + self.position).copyMemory(from: source, byteCount: bytes.count)
        self.position += bytes.count
    }

    @inline(__always)
    mutating func write(_ text: String) {
        let isWritten: Void? = text.utf8.withContiguousStorageIfAvailable { self.write(UnsafeRawBufferPointer($0)) }
        if isWritten == nil {
            for byte in text.utf8 { self.write(byte) }
        }
    }

    mutating func write(decimal value: Int64) {
        precondition(value >= 0, "the length must not be negative")
        var divisor: Int64 = 1
        while value / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            self.write(UInt8(ascii: "0") + UInt8(value / divisor % 10))
            divisor /= 10
        }
    }

    mutating func write(hexadecimal value: Int) {
        precondition(value >= 0, "the size must not be negative")
        var shift = max(0, (Int.bitWidth - value.leadingZeroBitCount - 1) / 4 * 4)
        while shift >= 0 {
            let digit = UInt8(truncatingIfNeeded: value >> shift & 15)
            self.write(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            shift -= 4
        }
    }
}
