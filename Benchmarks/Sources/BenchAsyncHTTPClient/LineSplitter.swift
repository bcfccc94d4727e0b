// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import NIOCore

/// Splits chunks at line feeds with one `memchr` for each line, and copies only lines that span several chunks.
struct LineSplitter {
    private var unfinished = ByteBuffer()

    /// Passes each line that `chunk` completes to `line`.
    mutating func split(_ chunk: ByteBuffer, into line: (String) -> Void) {
        chunk.withUnsafeReadableBytes { bytes in
            guard var start = bytes.baseAddress else { return }
            let end = start + bytes.count
            while start < end, let feed = memchr(start, 0x0A, end - start) {
                self.hand(UnsafeRawBufferPointer(start: start, count: UnsafeRawPointer(feed) - start), to: line)
                start = UnsafeRawPointer(feed) + 1
            }
            self.unfinished.writeBytes(UnsafeRawBufferPointer(start: start, count: end - start))
        }
    }

    /// Passes the last line to `line`, if the text does not end with a line feed.
    mutating func finish(into line: (String) -> Void) {
        if self.unfinished.readableBytes > 0 {
            self.hand(UnsafeRawBufferPointer(start: nil, count: 0), to: line)
        }
    }

    private mutating func hand(_ bytes: UnsafeRawBufferPointer, to line: (String) -> Void) {
        guard self.unfinished.readableBytes > 0 else {
            line(String(decoding: bytes, as: UTF8.self))
            return
        }
        self.unfinished.writeBytes(bytes)
        line(String(buffer: self.unfinished))
        self.unfinished.clear()
    }
}
