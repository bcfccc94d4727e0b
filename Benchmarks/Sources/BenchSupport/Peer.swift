// SPDX-License-Identifier: Apache-2.0

/// An HTTP client under measurement.
///
/// Each of these functions does one complete transfer, in code that a careful user of that client would write. The
/// function throws if the response is not a success. It returns the number of bytes of content, so that the compiler
/// cannot remove the work.
public protocol Peer: Sendable {
    /// The peer's name in the output.
    var name: String { get }

    /// The executor that the peer's callers should prefer, if any.
    var executor: (any TaskExecutor)? { get }

    /// Gets a small resource into memory; called by many tasks at once.
    func get(_ url: String) async throws -> Int

    /// Gets a large resource into `file`, which does not exist yet.
    func download(_ url: String, to file: String) async throws -> Int

    /// Puts `file`, and returns the number of bytes of the answer.
    func upload(_ file: String, to url: String) async throws -> Int

    /// Gets a text, and passes each line as a `String` to `line`.
    func lines(_ url: String, line: (String) -> Void) async throws

    /// Gets server-sent events, and passes the data of each as a `String` to `event`.
    func events(_ url: String, event: (String) -> Void) async throws

    /// Gets server-sent events, and passes the decoded data of each to `delta`.
    func deltas(_ url: String, delta: (Photo) -> Void) async throws

    /// Gets lines of JSON, and passes each decoded value to `value`.
    func values(_ url: String, value: (Photo) -> Void) async throws

    /// Gets a large resource into memory, in one piece; its content may be compressed for the transfer.
    func data(_ url: String) async throws -> Int
}

/// The value that an event or a line of JSON contains.
public struct Photo: Decodable, Sendable {
    /// The number of the photo.
    public var photo: Int
    /// The number of people who like the photo.
    public var favourites: Int
    /// The author of the photo.
    public var by: String
}

extension Peer {
    /// `nil`: callers prefer no executor.
    public var executor: (any TaskExecutor)? { nil }

    // A client without functions for streams takes no part in these cases.

    /// Throws ``UnexpectedAnswer``.
    public func events(_ url: String, event: (String) -> Void) async throws { throw UnexpectedAnswer.noStreams }

    /// Throws ``UnexpectedAnswer``.
    public func deltas(_ url: String, delta: (Photo) -> Void) async throws { throw UnexpectedAnswer.noStreams }

    /// Throws ``UnexpectedAnswer``.
    public func values(_ url: String, value: (Photo) -> Void) async throws { throw UnexpectedAnswer.noStreams }
}

/// The error for a transfer with an unexpected result.
public struct UnexpectedAnswer: Error, CustomStringConvertible {
    /// The actual result.
    public let description: String

    /// Creates an error with the actual result.
    public init(_ description: String) { self.description = description }

    static let noStreams = UnexpectedAnswer("the client has no function for this stream")

    /// Throws if a status is not 200.
    ///
    /// - Throws: ``UnexpectedAnswer`` with the status.
    public static func check(status: Int) throws {
        guard status == 200 else { throw UnexpectedAnswer("status \(status)") }
    }
}
