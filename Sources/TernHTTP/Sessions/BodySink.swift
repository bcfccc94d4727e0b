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
    /// The largest range of a file that one call of ``send(_:range:)`` accepts, in bytes.
    var maximumFileSegmentByteCount: Int64 { get }

    /// The number of bytes that were handed to the network, including chunk framing, without HTTP/2's frame headers.
    var writtenByteCount: Int64 { get }

    /// Sends bytes of the body.
    ///
    /// - Parameter piece: The bytes, never empty.
    /// - Throws: `ConnectionError` if the connection is lost, or accepts nothing for too long.
    mutating func send(_ piece: Data) async throws(ConnectionError)

    /// Sends a part of a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - range: The range, never empty.
    /// - Throws: `ConnectionError` if the connection is lost or accepts nothing for too long, or if the file cannot be
    ///   read.
    mutating func send(_ file: ReadableFile, range: Range<Int64>) async throws(ConnectionError)

    /// Ends the body.
    ///
    /// - Parameter trailers: The trailer fields after the body; `nil` if there are none.
    /// - Throws: `ConnectionError` if the connection is lost, or accepts nothing for too long.
    mutating func end(with trailers: HTTPFields?) async throws(ConnectionError)
}
