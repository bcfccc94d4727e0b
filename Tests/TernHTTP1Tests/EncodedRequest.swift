// SPDX-License-Identifier: Apache-2.0

import TernHTTP1

extension RequestHead {
    /// What is written with exactly the room that was asked for.
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
