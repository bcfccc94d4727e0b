// SPDX-License-Identifier: Apache-2.0

import TernHTTP1

extension RequestHead {
    /// Returns the output for exactly the requested room.
    func encoded() -> String {
        var bytes = [UInt8](repeating: 0, count: self.encodedByteCountUpperBound)
        let count = bytes.withUnsafeMutableBytes { buffer in
            var output = OutputRawSpan(buffer: buffer, initializedCount: 0)
            self.encode(into: &output)
            return output.finalize(for: buffer)
        }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
