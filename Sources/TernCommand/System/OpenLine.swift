// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Remembers the terminals on which a body ended without a line break, so that a message does not continue the line.
enum OpenLine {
    private static let descriptors = Mutex<Set<CInt>>([])

    static func isLeft(by bytes: some BidirectionalCollection<UInt8>) -> Bool {
        guard let last = bytes.last else { return false }
        return last != UInt8(ascii: "\n") && !bytes.suffix(3).elementsEqual("\u{1B}[K".utf8)
    }

    static func record(_ bytes: [UInt8], on descriptor: CInt) {
        guard !bytes.isEmpty else { return }
        let isLeft = Self.isLeft(by: bytes)
        Self.descriptors.withLock { descriptors in
            if isLeft { descriptors.insert(descriptor) } else { descriptors.remove(descriptor) }
        }
    }

    /// Returns whether the next text must begin with a line break, because another descriptor has left the line open.
    static func end(on descriptor: CInt) -> Bool {
        Self.descriptors.withLock { descriptors in
            guard !descriptors.isEmpty, System.isTerminal(descriptor) else { return false }
            let open = descriptors.filter { $0 != descriptor && System.isSameFile($0, descriptor) }
            descriptors.subtract(open)
            return !open.isEmpty
        }
    }
}
