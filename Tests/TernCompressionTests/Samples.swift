// SPDX-License-Identifier: Apache-2.0

import Testing

/// A generator of pseudo-random numbers, which are the same in every run.
struct Xorshift: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { self.state = seed &+ 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        self.state ^= self.state << 13
        self.state ^= self.state >> 7
        self.state ^= self.state << 17
        return self.state
    }
}

/// Kinds of data to compress.
enum Sample: String, CaseIterable, Sendable {
    case empty, oneByte, text, zeros, random, mixed

    /// Returns the bytes.
    ///
    /// They have about the given length, if the sample has no fixed length.
    func bytes(_ byteCount: Int = 600) -> [UInt8] {
        switch self {
        case .empty: []
        case .oneByte: [0x61]
        case .text: Self.text(byteCount)
        case .zeros: [UInt8](repeating: 0, count: byteCount)
        case .random: Self.random(byteCount)
        case .mixed:
            Self.text(byteCount / 4) + Self.random(byteCount / 4) + [UInt8](repeating: 7, count: byteCount / 4)
                + Self.text(byteCount / 4)
        }
    }

    private static func text(_ byteCount: Int) -> [UInt8] {
        let words = ["the", "server", "sends", "what", "client", "asked", "for", "and", "nothing", "else"]
        var generator = Xorshift(seed: 1)
        var bytes: [UInt8] = []
        while bytes.count < byteCount { bytes += "\(words[Int.random(in: 0..<10, using: &generator)]) ".utf8 }
        return Array(bytes.prefix(byteCount))
    }

    private static func random(_ byteCount: Int) -> [UInt8] {
        var generator = Xorshift(seed: 2)
        return (0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}

/// The sizes of input and output pieces.
struct Cuts: CustomTestStringConvertible, Sendable {
    /// The number of input bytes in each call.
    var pieceByteCount = Int.max
    /// The number of output bytes in each call.
    var roomByteCount = 4096

    static let all: [Cuts] = [
        Cuts(), Cuts(pieceByteCount: 1), Cuts(roomByteCount: 1), Cuts(pieceByteCount: 1, roomByteCount: 1),
        Cuts(pieceByteCount: 2, roomByteCount: 3), Cuts(pieceByteCount: 7, roomByteCount: 5),
        Cuts(pieceByteCount: 3, roomByteCount: 6), Cuts(pieceByteCount: 100, roomByteCount: 7),
    ]

    var testDescription: String { "pieces of \(self.pieceByteCount), room for \(self.roomByteCount)" }
}
