// SPDX-License-Identifier: Apache-2.0

/// Undoes one content coding of a message (RFC 9110 §8.4.1).
///
/// The same input gives the same output or the same violation, however both are cut.
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
/// What clients disagree on is settled like this:
///
/// - **gzip members.** Any number of them may follow each other, and their contents are joined (RFC 1952 §2.2), as in
///   Go, Node and Python. Browsers stop after the first and curl gives up, but stopping would lose data silently.
/// - **Zero bytes behind the last member** are padding, as in gzip, Node and Python. Nothing may follow them.
/// - **Anything else behind the end** is ``ContentViolation/trailingData``, as in curl, Go and okio; browsers ignore it.
/// - **Raw data named `deflate`** is read, as in browsers and curl: it is raw unless its first two bytes are a header of
///   RFC 1950 §2.2. Up to four bytes behind it are ignored, as in curl, for such servers may append a check value.
/// - **No content at all** is accepted as empty, for servers name a coding in answers that have no content, too.
public struct ContentDecoder: ~Copyable, Sendable {
    /// Why a call came to its end.
    @nonexhaustive
    public enum Status: Hashable, Sendable {
        /// All input was taken, and all that comes of it was written.
        case needsInput
        /// The output is full: call again with the rest of the input, which may be empty, and more room.
        case needsOutput
    }

    /// The outcome of one call.
    public struct Progress: Hashable, Sendable {
        /// How many bytes, from the front of the input, were taken.
        public var consumedByteCount: Int
        /// Why the call came to its end.
        public var status: Status

        /// Creates the outcome of a call.
        package init(consumedByteCount: Int, status: Status) {
            (self.consumedByteCount, self.status) = (consumedByteCount, status)
        }
    }

    enum State: Sendable {
        /// Nothing was received. Exits: `undecided`, `inside`.
        case start
        /// One byte of `deflate` was received that may begin a header. Exit: `inside`.
        case undecided(first: UInt8)
        /// Inside compressed data. Exits: `betweenMembers` if gzip, else `ended`.
        case inside
        /// Behind the end of a gzip member. Exits: `inside`, `padding`.
        case betweenMembers
        /// Behind a zero byte that follows the last gzip member. No exit.
        case padding
        /// Behind the end of `deflate` data. Exit: itself with less to ignore.
        case ended(ignorableByteCount: Int)
    }

    let coding: ContentCoding
    let limits: InflationLimits
    var inflater: Inflater
    var state = State.start
    /// What was found, raw data under the name of `deflate`.
    var isRaw = false
    var receivedByteCount: Int64 = 0
    var writtenByteCount: Int64 = 0
    private var violation: ContentViolation?

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - coding: the coding to undo.
    ///   - limits: how much may come out; see ``InflationLimits`` for the defaults.
    /// - Throws: ``CompressionError`` if there is no memory.
    public init(_ coding: ContentCoding, limits: InflationLimits = InflationLimits()) throws(CompressionError) {
        self.inflater = try Inflater(coding == .gzip ? .gzip : .zlib)
        (self.coding, self.limits) = (coding, limits)
    }

    /// Whether what was received so far is whole, so that the content may end here.
    public var isComplete: Bool {
        guard self.violation == nil else { return false }
        switch self.state {
        case .start, .betweenMembers, .padding, .ended: return true
        case .undecided, .inside: return false
        }
    }

    /// Appends to `output` what comes of `input`.
    ///
    /// - Parameters:
    ///   - input: encoded bytes; may be empty, to fetch what had no room before.
    ///   - output: where to write; holds all that came before a violation, too, but never more than the limits allow.
    /// - Returns: how much input was taken, and what is needed to get on.
    /// - Throws: ``ContentViolation``, and the same one ever after.
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

    /// Says that the content is over.
    ///
    /// - Throws: ``ContentViolation/truncated`` unless ``isComplete``, also if the last call found the output full and
    ///   was not repeated; after another violation, that one.
    public func finish() throws(ContentViolation) {
        if let violation = self.violation { throw violation }
        guard self.isComplete else { throw .truncated }
    }
}

/// A content coding that a ``ContentDecoder`` reads (RFC 9110 §8.4.1).
@nonexhaustive
public enum ContentCoding: CaseIterable, Hashable, Sendable {
    /// One or more gzip members (RFC 1952); `x-gzip` is the same.
    case gzip
    /// The zlib format (RFC 1950); also raw deflate, which servers send under this name by mistake.
    case deflate

    /// Creates the coding of that name.
    ///
    /// - Parameter token: one element of `Content-Encoding` without blanks around it; case does not matter. Any other
    ///   than `gzip`, `x-gzip` and `deflate` gives `nil`.
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
