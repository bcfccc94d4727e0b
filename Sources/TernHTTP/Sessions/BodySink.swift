// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernConnections
import TernErrors
import TernFoundation
import TernTransport

/// Receives the body of one request from a ``BodySender``, and frames it for a version of HTTP.
///
/// Each method returns only when there is room for more, so that a slow server slows down the source of the body.
protocol BodySink {
    var maximumFileSegmentByteCount: Int64 { get }

    /// The number of bytes that were handed to the network, including chunk framing, without HTTP/2's frame headers.
    var writtenByteCount: Int64 { get }

    /// Sends a piece, which is never empty.
    mutating func send(_ piece: Data) async throws(ConnectionError)

    /// Sends a part of a file, which is never empty.
    mutating func send(_ file: ReadableFile, range: Range<Int64>) async throws(ConnectionError)

    mutating func end(with trailers: HTTPFields?) async throws(ConnectionError)
}
