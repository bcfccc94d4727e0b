// SPDX-License-Identifier: Apache-2.0

/// Decompresses one stream of bytes.
///
/// The same bytes always give the same output or a violation, however they are split into pieces.
package protocol Decompressor: ~Copyable, Sendable {
    /// Decompresses `input`, and appends the result to `output`.
    ///
    /// - Parameters:
    ///   - input: The bytes to decompress. May be empty, to fetch output that did not fit before.
    ///   - output: The destination. If it has no room, the decompressor must not call this the end of the input: it
    ///     reports ``Inflater/Status/needsOutput``, unless the stream has ended.
    /// - Returns: The number of consumed bytes, and the reason that the call ended.
    /// - Throws: `ContentViolation`. After that, the decompressor is not used again.
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
