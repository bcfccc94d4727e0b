// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
package import TernErrors

extension OpenFile {
    /// The number of bytes to read and write at a time: 1 MiB.
    private static let copiedByteCount = 1 << 20

    /// Writes the whole content of an open file to another one, which is empty.
    ///
    /// Afterwards, both files are at their beginning.
    ///
    /// - Throws: The failure of the system. A part of the content may be written.
    package static func copy(_ source: CInt, to descriptor: CInt) throws(FileFailure) {
        try Self.seek(source, to: 0)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.copiedByteCount, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = Self.read(from: source, into: buffer)
            guard count >= 0 else { throw FileFailure(errno: errno) }
            guard count > 0 else { break }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            if let failure = Self.write(bytes, to: descriptor) { throw failure }
        }
        try Self.seek(source, to: 0)
        try Self.seek(descriptor, to: 0)
    }
}
