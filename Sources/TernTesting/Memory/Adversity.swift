// SPDX-License-Identifier: Apache-2.0
public import TernTransport

/// Something that goes wrong on the way of bytes in one direction of a connection, as a value.
///
/// Bytes are counted from the start of the connection. What ends the direction after `n` bytes does so right behind the
/// last of them; after 0 bytes, when the first one would have come.
///
/// ```swift
/// let connector = MemoryConnector(
///     plan: .accept(toClient: [.drip(bytesPerPiece: 1), .reset(afterByteCount: 40)])
/// ) { _ in
///     .response(body: "hello")
/// }
/// ```
public enum Adversity: Hashable, Sendable {
    /// Nothing gets through after this many bytes, not even an end.
    case stall(afterByteCount: Int = 0)
    /// The receiver gets at most this many bytes at a time, and the next ones only when it has taken them.
    case drip(bytesPerPiece: Int)
    /// The sender closes the connection, in order, after this many bytes.
    case cut(afterByteCount: Int)
    /// The connection is reset after this many bytes; both sides notice.
    case reset(afterByteCount: Int)
    /// The sender ends its direction, in order, after this many bytes; the other direction stays open.
    case halfClose(afterByteCount: Int)
}

/// What a list of adversities means for one direction.
struct DirectionFaults: Sendable {
    /// How the direction ends before the sender has ended it.
    struct Ending: Sendable {
        var byteCount: Int
        var end: MemoryPipe.End
    }

    /// The most bytes that the receiver is given at once.
    private(set) var maximumPieceByteCount: Int?
    /// After how many bytes nothing more gets through.
    private(set) var stallByteCount: Int?
    /// The earliest end, if there is one.
    private(set) var ending: Ending?

    init(_ adversities: [Adversity]) {
        for adversity in adversities {
            switch adversity {
            case .stall(let count): self.stallByteCount = min(self.stallByteCount ?? count, count)
            case .drip(let count): self.maximumPieceByteCount = max(1, min(self.maximumPieceByteCount ?? count, count))
            case .cut(let count): self.end(after: count, .close)
            case .reset(let count): self.end(after: count, .reset)
            case .halfClose(let count): self.end(after: count, .finish)
            }
        }
    }

    private mutating func end(after byteCount: Int, _ end: MemoryPipe.End) {
        guard byteCount < self.ending?.byteCount ?? .max else { return }
        self.ending = Ending(byteCount: byteCount, end: end)
    }

    /// How many bytes may be delivered at once when `delivered` were before.
    func allowance(after delivered: Int) -> Int {
        var allowance = self.maximumPieceByteCount ?? .max
        if let stallByteCount { allowance = min(allowance, stallByteCount - delivered) }
        if let ending { allowance = min(allowance, ending.byteCount - delivered) }
        return max(0, allowance)
    }
}

/// What becomes of one attempt to connect.
public enum ConnectionPlan: Sendable {
    /// The connection is made; the adversities befall the bytes of each direction.
    case accept(toClient: [Adversity] = [], toServer: [Adversity] = [])
    /// The attempt fails.
    case refuse(ConnectionError)
    /// The attempt neither succeeds nor fails, until its deadline or its cancellation.
    case hang
}
