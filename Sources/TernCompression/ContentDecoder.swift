// SPDX-License-Identifier: Apache-2.0

/// Decodes one content coding of a message (RFC 9110 §8.4.1).
///
/// The same content always gives the same output or the same violation, however it is split into pieces.
///
/// ```swift
/// var decoder = try ContentDecoder(.gzip)
/// for await part in body {
///     var rest = part.bytes
///     while true {
///         let progress = try decoder.decode(rest, into: &output)
///         rest = rest.extracting(droppingFirst: progress.consumedByteCount)
///         guard progress.status == .needsOutput else { break }
///         handOut(&output)
///     }
/// }
/// try decoder.finish()
/// ```
///
/// Clients differ in the way they treat unusual content. This decoder works as follows:
///
/// - **gzip members.** The content may consist of several members, and their contents are joined (RFC 1952 §2.2), as in
///   Go, Node and Python. Browsers stop after the first member, which loses data silently. curl fails.
/// - **Zero bytes after the last member** are ignored as padding, as in gzip, Node and Python. No other bytes may
///   follow the padding.
/// - **Other bytes after the end** throw ``ContentViolation/trailingData``, as in curl, Go and okio. Browsers ignore
///   such bytes.
/// - **Raw data named `deflate`** is accepted, as in browsers and curl. Data counts as raw if its first two bytes are
///   not a header of the zlib format (RFC 1950 §2.2). Up to four bytes after raw data are ignored, as in curl, because
///   some servers append the check value of the zlib format.
/// - **Empty content** is accepted, because servers also name a coding in responses without content.
public struct ContentDecoder: ~Copyable, Sendable {
    /// The reason that a call ended.
    @nonexhaustive
    public enum Status: Hashable, Sendable {
        /// The decoder has consumed all input and written all of its output.
        case needsInput
        /// The output is full: call again with the rest of the input, which may be empty, and more room.
        case needsOutput
    }

    /// The outcome of one call.
    public struct Progress: Hashable, Sendable {
        /// The number of consumed bytes, from the front of the input.
        public var consumedByteCount: Int
        /// The reason that the call ended.
        public var status: Status

        /// Creates the outcome of a call.
        package init(consumedByteCount: Int, status: Status) {
            (self.consumedByteCount, self.status) = (consumedByteCount, status)
        }
    }

    enum State: Sendable {
        /// No input was received yet.
        ///
        /// Exits: `undecided`, `inside`.
        case start
        /// The first byte of `deflate` content was received. It may begin a zlib header.
        ///
        /// Exit: `inside`.
        case undecided(first: UInt8)
        /// Inside compressed data.
        ///
        /// Exits: `betweenMembers` for gzip, otherwise `ended`.
        case inside
        /// After the end of a gzip member.
        ///
        /// Exits: `inside`, `padding`.
        case betweenMembers
        /// After a zero byte that follows the last gzip member.
        ///
        /// No exit.
        case padding
        /// After the end of `deflate` data.
        ///
        /// Exit: the same state with fewer bytes to ignore.
        case ended(ignorableByteCount: Int)
    }

    let coding: ContentCoding
    var inflater: LimitedDecompressor<Inflater>
    var state = State.start
    /// Whether the content is raw deflate data, although its coding `deflate` requires the zlib format.
    var isRaw = false
    private var violation: ContentViolation?

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - coding: The coding to decode.
    ///   - limits: The limits for the output. See ``InflationLimits`` for the defaults.
    /// - Throws: ``CompressionError`` if there is not enough memory, or the zlib library is not compatible.
    public init(_ coding: ContentCoding, limits: InflationLimits = InflationLimits()) throws(CompressionError) {
        self.inflater = LimitedDecompressor(try Inflater(coding == .gzip ? .gzip : .zlib), limits: limits)
        self.coding = coding
    }

    /// Whether the input so far is complete, so that the content may end here.
    public var isComplete: Bool {
        guard self.violation == nil else { return false }
        switch self.state {
        case .start, .betweenMembers, .padding, .ended: return true
        case .undecided, .inside: return false
        }
    }

    /// Decodes `input`, and appends the result to `output`.
    ///
    /// - Parameters:
    ///   - input: The next encoded bytes. May be empty, to fetch output that did not fit before.
    ///   - output: The destination. After a violation, it also contains the output from before the violation. It never
    ///     contains more bytes than the limits allow.
    /// - Returns: The number of consumed bytes, and whether the decoder needs more input or more room to continue.
    /// - Throws: ``ContentViolation``. Every later call throws the same error.
    public mutating func decode(
        _ input: RawSpan,
        into output: inout OutputRawSpan
    ) throws(ContentViolation) -> Progress {
        if let violation = self.violation { throw violation }
        do throws(ContentViolation) {
            return try self.decodeAll(input, into: &output)
        } catch {
            self.violation = error
            throw error
        }
    }

    /// Ends the content, and checks that it is complete.
    ///
    /// - Throws: ``ContentViolation/truncated`` if the content is incomplete, or the last call of ``decode(_:into:)``
    ///   returned `needsOutput`. If ``decode(_:into:)`` threw a violation before, this method throws it again.
    public func finish() throws(ContentViolation) {
        if let violation = self.violation { throw violation }
        guard self.isComplete else { throw .truncated }
    }
}

/// A content coding that a ``ContentDecoder`` supports (RFC 9110 §8.4.1).
@nonexhaustive
public enum ContentCoding: CaseIterable, Hashable, Sendable {
    /// One or more gzip members (RFC 1952). `x-gzip` is another name for this coding.
    case gzip
    /// The zlib format (RFC 1950).
    ///
    /// The decoder also accepts raw deflate data, which some servers send under this name by mistake.
    case deflate

    /// Creates a coding from its name.
    ///
    /// - Parameter token: One element of `Content-Encoding`, without blanks around it, in upper or lower case. The
    ///   result is `nil` for any text other than `gzip`, `x-gzip` and `deflate`.
    public init?(_ token: some StringProtocol) {
        switch token.utf8.count <= 7 ? token.lowercased() : "" {
        case "gzip", "x-gzip": self = .gzip
        case "deflate": self = .deflate
        default: return nil
        }
    }

    /// The registered name, in lower case, as in `Content-Encoding` and `Accept-Encoding`.
    public var token: String {
        switch self {
        case .gzip: "gzip"
        case .deflate: "deflate"
        }
    }
}
