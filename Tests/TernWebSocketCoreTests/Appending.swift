// SPDX-License-Identifier: Apache-2.0

/// Returns the bytes that a closure appends to a span with exactly this number of bytes.
func appending(byteCount: Int, _ append: (inout OutputRawSpan) throws -> Void) rethrows -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    let count = try bytes.withUnsafeMutableBytes { buffer in
        var output = OutputRawSpan(buffer: buffer, initializedCount: 0)
        try append(&output)
        return output.finalize(for: buffer)
    }
    return Array(bytes.prefix(count))
}
