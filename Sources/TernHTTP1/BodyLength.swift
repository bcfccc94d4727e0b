// SPDX-License-Identifier: Apache-2.0

/// How the end of a response's body is found (RFC 9112 §6.3).
public enum BodyLength: Hashable, Sendable {
    /// There is no body: the request was HEAD, the status is 1xx, 204 or 304, or a CONNECT succeeded.
    case none
    /// The body has this many bytes, possibly none.
    case known(Int64)
    /// The body comes in chunks, the last of which is empty.
    case chunked
    /// The body ends when the server closes the connection, so its end cannot be told from a failure.
    case untilClose
}
