// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernCLibrary
import TernWebSocketCore

/// Buffers unpredictable bytes for masking keys (RFC 6455 §10.3): a system call for each key costs more than a short message.
struct RandomPool: RandomNumberGenerator {
    private static let byteCount = 256  // the maximum of one `getentropy` call

    private var words: [UInt64] = []

    mutating func next() -> UInt64 {
        if let word = self.words.popLast() { return word }
        self.refill()
        return self.words.popLast() ?? UInt64.random(in: .min ... .max)
    }

    private mutating func refill() {
        let count = Self.byteCount / MemoryLayout<UInt64>.size
        self.words = [UInt64](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            let bytes = UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: Self.byteCount)
            initializedCount = CLibrary.fillRandomly(bytes) ? count : 0
        }
    }
}
