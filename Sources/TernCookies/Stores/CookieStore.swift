// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Where a client keeps its cookies.
///
/// The methods are asynchronous, so that another process can be behind them. They are called by several tasks at once; a
/// request waits for them, so they should be quick. A ``CookieJar`` has the rules: make a store around one.
public protocol CookieStore: AnyObject, Sendable {
    /// The cookies that a request brings.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - now: the present.
    /// - Returns: the cookies in the order in which they are sent; see ``CookieJar/cookies(for:at:)``.
    func cookies(for request: CookieRequest, at now: Date) async -> [Cookie]

    /// Does what the `Set-Cookie` fields of a response ask for.
    ///
    /// - Parameters:
    ///   - fields: what was read, in the order of the fields.
    ///   - request: the request that was answered.
    ///   - now: the present.
    func receive(_ fields: [SetCookie], from request: CookieRequest, at now: Date) async
}
