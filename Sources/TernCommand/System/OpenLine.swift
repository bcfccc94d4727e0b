// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Remembers the terminals on which a body ended without a line break, so that a message begins on a line of its own.
///
/// Standard output and standard error are normally the same terminal. A message would otherwise continue the last line
/// of the body.
enum OpenLine {
    /// The descriptors whose last text did not end its line.
    private static let descriptors = Mutex<Set<CInt>>([])

    /// Returns whether text leaves the cursor within a line: it does not end with a line break, nor erases its line.
    static func isLeft(by bytes: some BidirectionalCollection<UInt8>) -> Bool {
        guard let last = bytes.last else { return false }
        return last != UInt8(ascii: "\n") && !bytes.suffix(3).elementsEqual("\u{1B}[K".utf8)
    }

    /// Records text that was written to a terminal.
    static func record(_ bytes: [UInt8], on descriptor: CInt) {
        guard !bytes.isEmpty else { return }
        let isLeft = Self.isLeft(by: bytes)
        Self.descriptors.withLock { descriptors in
            if isLeft { descriptors.insert(descriptor) } else { descriptors.remove(descriptor) }
        }
    }

    /// Ends the open line of a terminal.
    ///
    /// - Parameter descriptor: The descriptor for the next text.
    /// - Returns: Whether the text must begin with a line break. This is the case if another descriptor of the same
    ///   terminal has an open line; `false` for anything but a terminal.
    static func end(on descriptor: CInt) -> Bool {
        Self.descriptors.withLock { descriptors in
            guard !descriptors.isEmpty, System.isTerminal(descriptor) else { return false }
            let open = descriptors.filter { $0 != descriptor && System.isSameFile($0, descriptor) }
            descriptors.subtract(open)
            return !open.isEmpty
        }
    }
}
