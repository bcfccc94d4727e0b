// SPDX-License-Identifier: Apache-2.0

/// A content coding for `Client.Configuration.contentCodecs`, from the product `TernBrotli` or `TernZstandard`.
public struct ContentCodec: Sendable {
    /// The registered name in lower case, as in `Content-Encoding` and `Accept-Encoding` (RFC 9110 §8.4.1).
    package let token: String
    /// Whether the content may consist of several compressed streams, one after the other.
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
