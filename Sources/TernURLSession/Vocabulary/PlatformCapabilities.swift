// SPDX-License-Identifier: Apache-2.0

/// The properties of a platform's `URLSession` that the transport must act on; tests use those of every platform.
struct PlatformCapabilities: Hashable, Sendable {
    /// Whether `suspend()` stops a transfer; otherwise, the transport limits the unread bytes.
    let pausesTransfers: Bool
    /// Whether `URLSession` can go back to the beginning of a body; otherwise, a request with a body needs a new connection.
    let rewindsBodies: Bool
    /// Whether `URLSession` can wait for a stream without blocking a thread that it needs, and sends its `Content-Length`.
    let streamsBodies: Bool
    /// Whether `URLSession` decodes every content coding (RFC 9110 §8.4), or only well-known ones and those that it asks for.
    let decodesEveryCoding: Bool
    /// Whether `URLSession` ends a task whose challenge for a password is given up; otherwise, the transport cancels the task.
    let deliversUnansweredChallenges: Bool
    /// Whether `URLError.badServerResponse` means that the connection ended before a response.
    let reportsEmptyResponsesAsBad: Bool
    /// Whether any failure becomes `URLError.cannotConnectToHost` once an address of the host has refused, even if another did not.
    let remembersRefusals: Bool
    /// Whether `URLSession` takes its proxies from environment variables, as curl does.
    let readsEnvironment: Bool
}
