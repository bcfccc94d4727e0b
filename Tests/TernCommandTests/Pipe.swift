// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
@testable import TernCommand

/// The two ends of a pipe, which are closed when this object is deallocated.
final class Pipe: Sendable {
    let reader: CInt
    let writer: CInt

    init() {
        var ends: [CInt] = [-1, -1]
        _ = pipe(&ends)
        (self.reader, self.writer) = (ends[0], ends[1])
        System.ignoreBrokenPipes()
    }

    deinit {
        close(self.writer)
        close(self.reader)
    }

    /// Returns the reading end of a pipe that contains a short text, and whose writing end is closed.
    static func holding(_ text: String) throws -> CInt {
        var ends: [CInt] = [-1, -1]
        _ = pipe(&ends)
        defer { close(ends[1]) }
        try Array(text.utf8).withUnsafeBytes { bytes in try System.write(bytes, to: ends[1]) }
        return ends[0]
    }

    /// Returns the text written so far, which must not be empty.
    func text() throws -> String { String(decoding: try System.read(from: self.reader, upTo: 64 << 10), as: UTF8.self) }
}
