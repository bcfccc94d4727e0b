// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
package import TernErrors

extension OpenFile {
    private static let copiedByteCount = 1 << 20

    /// Writes the whole content of a file to an empty one; afterwards, both are at their beginning.
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
