// SPDX-License-Identifier: Apache-2.0

/// A random number generator that returns the bytes of a test.
struct GivenGenerator: RandomNumberGenerator {
    private var bytes: ArraySlice<UInt8>

    init(_ text: String) { self.bytes = Array(text.utf8)[...] }

    mutating func next() -> UInt64 {
        defer { self.bytes = self.bytes.dropFirst(8) }
        return self.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
