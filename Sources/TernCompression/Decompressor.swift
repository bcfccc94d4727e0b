// SPDX-License-Identifier: Apache-2.0

/// Decompresses one stream of bytes, with the same output, or a violation, however the caller splits the bytes into pieces.
package protocol Decompressor: ~Copyable, Sendable {
    /// Decompresses `input`; without room in `output`, reports ``Inflater/Status/needsOutput``, unless the stream has ended.
    mutating func decompress(
        _ input: RawSpan,
        into output: inout OutputRawSpan
    ) throws(ContentViolation) -> Inflater.Progress
}

extension Inflater: Decompressor {
    package mutating func decompress(
        _ input: RawSpan,
        into output: inout OutputRawSpan
    ) throws(ContentViolation) -> Progress {
        do throws(InflateViolation) {
            return try self.inflate(input, into: &output)
        } catch {
            throw ContentViolation(error)
        }
    }
}
