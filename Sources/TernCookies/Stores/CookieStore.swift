// SPDX-License-Identifier: Apache-2.0
public import TernFoundation

/// Stores the cookies of a client.
///
/// The methods are asynchronous, so that another process can hold the cookies. Several tasks may call them at the same
/// time. A request waits for the methods, so they should be quick. A ``CookieJar`` implements the rules for cookies;
/// build your store around a jar.
public protocol CookieStore: AnyObject, Sendable {
    /// Returns the cookies to send with a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - now: The current time.
    /// - Returns: The cookies in the order in which they are sent; see ``CookieJar/cookies(for:at:)``.
    func cookies(for request: CookieRequest, at now: Date) async -> [Cookie]

    /// Processes the `Set-Cookie` fields of a response.
    ///
    /// - Parameters:
    ///   - fields: The parsed fields, in their order.
    ///   - request: The request that the server answered.
    ///   - now: The current time.
    func receive(_ fields: [SetCookie], from request: CookieRequest, at now: Date) async
}
