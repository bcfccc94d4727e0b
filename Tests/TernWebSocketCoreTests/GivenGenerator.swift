// SPDX-License-Identifier: Apache-2.0

/// Gives bytes that a test chose, as a generator of random numbers.
struct GivenGenerator: RandomNumberGenerator {
    private var bytes: ArraySlice<UInt8>

    init(_ text: String) { self.bytes = Array(text.utf8)[...] }

    mutating func next() -> UInt64 {
        defer { self.bytes = self.bytes.dropFirst(8) }
        return self.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
