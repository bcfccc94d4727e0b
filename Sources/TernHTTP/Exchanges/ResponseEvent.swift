// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernTransport

/// The next part of a response, in any version of HTTP.
enum ResponseEvent {
    /// The head of an interim response (1xx); another head follows.
    case informational(Response.Head)
    /// The head of the final response.
    case head(Response.Head)
    /// A part of the body, never empty.
    case body(ByteBuffer)
    /// The response is complete.
    case end
}
