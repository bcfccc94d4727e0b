// SPDX-License-Identifier: Apache-2.0

/// A content coding that a product of its own decodes, such as Brotli, for `Client.Configuration.contentCodecs`.
public struct ContentCodec: Sendable {
    /// The registered name in lower case, as in `Content-Encoding` and `Accept-Encoding` (RFC 9110 §8.4.1).
    package let token: String
    /// Whether the content may have several streams of compressed data, whose contents are joined.
    package let joinsStreams: Bool
    private let make: @Sendable () throws(CompressionError) -> any Decompressor & ~Copyable

    package init(
        token: String,
        joinsStreams: Bool,
        _ make: @escaping @Sendable () throws(CompressionError) -> any Decompressor & ~Copyable
    ) {
        self.token = token
        self.joinsStreams = joinsStreams
        self.make = make
    }

    package func makeDecompressor() throws(CompressionError) -> AnyDecompressor {
        AnyDecompressor(base: try self.make())
    }
}

package struct AnyDecompressor: Decompressor, ~Copyable {
    var base: any Decompressor & ~Copyable

    package mutating func decompress(
        _ input: RawSpan,
        into output: inout OutputRawSpan
    ) throws(ContentViolation) -> Inflater.Progress {
        try self.base.decompress(input, into: &output)
    }
}
