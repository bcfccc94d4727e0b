// SPDX-License-Identifier: Apache-2.0

/// The sizes of the pieces in which a target passes its input on.
///
/// For a seed of 0, one piece contains everything. For any other seed, the sizes are pseudo-random and mostly small.
struct Pieces {
    private var state: UInt64
    private let whole: Int?
    private let short: ClosedRange<Int>
    private let long: ClosedRange<Int>

    /// Creates the sizes.
    ///
    /// - Parameters:
    ///   - seed: The seed.
    ///   - whole: The size of the piece that contains everything.
    ///   - short: The sizes of seven of eight pieces.
    ///   - long: The sizes of the others.
    init(seed: UInt8, whole: Int = .max, short: ClosedRange<Int> = 1...4, long: ClosedRange<Int> = 1...256) {
        self.state = UInt64(seed) &+ 0x9E37_79B9_7F4A_7C15
        self.whole = seed == 0 ? whole : nil
        (self.short, self.long) = (short, long)
    }

    mutating func next() -> Int {
        if let whole = self.whole { return whole }
        self.state ^= self.state << 13
        self.state ^= self.state >> 7
        self.state ^= self.state << 17
        let sizes = self.state & 7 == 0 ? self.long : self.short
        return sizes.lowerBound + Int(self.state >> 8) % sizes.count
    }
}
