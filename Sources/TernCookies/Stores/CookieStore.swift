// SPDX-License-Identifier: Apache-2.0
public import TernFoundation

/// Stores the cookies of a client.
///
/// Build your store around a ``CookieJar``, which implements the rules for cookies. Several tasks may call the methods at the
/// same time. A request waits for them, so they should be quick; they are asynchronous, so that another process can hold the
/// cookies.
public protocol CookieStore: AnyObject, Sendable {
    /// Returns the cookies to send with a request, in their order; see ``CookieJar/cookies(for:at:)``.
    func cookies(for request: CookieRequest, at now: Date) async -> [Cookie]

    /// Stores the cookies of a response, from its `Set-Cookie` fields in their order.
    func receive(_ fields: [SetCookie], from request: CookieRequest, at now: Date) async
}
