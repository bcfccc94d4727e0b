// SPDX-License-Identifier: Apache-2.0

/// Decodes one content coding of a message (RFC 9110 §8.4.1).
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
/// handOut(&output)  // the rest
/// try decoder.finish()
/// ```
///
/// The same content gives the same output or the same violation, however it is split into pieces. Clients differ in the way
/// they treat unusual content. This decoder works as follows:
///
/// - **gzip members.** The contents of several members are joined (RFC 1952 §2.2): after a member, the byte `1F` begins another.
///   Zero bytes after the last member are ignored as padding; no other bytes may follow the padding.
/// - **Raw data named `deflate`** is accepted, if its first two bytes are not a header of the zlib format (RFC 1950 §2.2). Up to
///   four bytes after it are ignored, because some servers append the check value of that format.
/// - **Other bytes after the end** throw ``ContentViolation/trailingData``.
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

        package init(consumedByteCount: Int, status: Status) {
            (self.consumedByteCount, self.status) = (consumedByteCount, status)
        }
    }

    enum State: Sendable {
        /// No input was received yet. Exits: `undecided`, `inside`.
        case start
        /// The first byte of `deflate` content was received. It may begin a zlib header. Exit: `inside`.
        case undecided(first: UInt8)
        /// Inside compressed data. Exits: `betweenMembers` for gzip, otherwise `ended`.
        case inside
        /// After the end of a gzip member. Exits: `inside`, `padding`.
        case betweenMembers
        /// After a zero byte that follows the last gzip member. No exit.
        case padding
        /// After the end of `deflate` data. Exit: the same state with fewer bytes to ignore.
        case ended(ignorableByteCount: Int)
    }

    let coding: ContentCoding
    var inflater: LimitedDecompressor<Inflater>
    var state = State.start
    var isRaw = false
    private var violation: ContentViolation?

    /// Creates a decoder; throws if there is not enough memory, or the zlib library is not compatible.
    public init(_ coding: ContentCoding, limits: InflationLimits = InflationLimits()) throws(CompressionError) {
        self.inflater = LimitedDecompressor(try Inflater(coding == .gzip ? .gzip : .zlib), limits: limits)
        self.coding = coding
    }

    /// Whether the content may end here; `false` before all output is written, and after a violation.
    public var isComplete: Bool {
        guard self.violation == nil else { return false }
        switch self.state {
        case .start, .betweenMembers, .padding, .ended: return true
        case .undecided, .inside: return false
        }
    }

    /// Decodes `input`, and appends the result to `output`, within the limits.
    ///
    /// - Parameters:
    ///   - input: The next encoded bytes. Pass none to fetch output that did not fit before.
    ///   - output: The destination. If the call throws, it contains the output from before the violation.
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

    /// Checks that the content may end, once all output is written: throws ``ContentViolation/truncated`` or an earlier violation.
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
    /// The zlib format (RFC 1950), or raw deflate data, which some servers send under this name by mistake.
    case deflate

    /// Creates a coding from `gzip`, `x-gzip` or `deflate`, in any letter case and without blanks; `nil` for another name.
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
