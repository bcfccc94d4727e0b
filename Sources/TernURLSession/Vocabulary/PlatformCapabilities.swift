// SPDX-License-Identifier: Apache-2.0

/// The properties of a platform's `URLSession` that the transport must act on.
///
/// A file whose name ends in the platform's name provides ``current``. Tests run the state machines with the properties
/// of every platform.
struct PlatformCapabilities: Hashable, Sendable {
    /// Whether `suspend()` stops a transfer, and `resume()` continues it.
    ///
    /// If not, the transport limits the unread bytes instead.
    let pausesTransfers: Bool
    /// Whether a request with a body may use a connection that has served another request.
    ///
    /// If the server has closed such a connection, `URLSession` sends the request again. An implementation that cannot
    /// go back to the beginning of the body would send the rest of the body only.
    let rewindsBodies: Bool
    /// Whether `URLSession` can wait for a stream without blocking a thread that it needs, and sends the stream with the
    /// `Content-Length` that the request states.
    ///
    /// If not, the transport reads each stream into memory.
    let streamsBodies: Bool
    /// Whether `URLSession` decodes every content coding (RFC 9110 §8.4), or fails.
    ///
    /// If not, it decodes the codings that it asks for, and well-known ones.
    let decodesEveryCoding: Bool
    /// Whether `URLSession` ends a task when the answer to a challenge for a password is to give up.
    ///
    /// If not, the transport takes the response with the challenge as complete, and cancels the task.
    let deliversUnansweredChallenges: Bool
    /// Whether `URLError.badServerResponse` means that the connection ended before a response.
    let reportsEmptyResponsesAsBad: Bool
}
