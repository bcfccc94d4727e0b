// SPDX-License-Identifier: Apache-2.0

/// A response and the body that follows it.
public struct Reply: Sendable {
    /// The head.
    public var response: Response
    /// The body, of which perhaps nothing has been read yet.
    public var body: ResponseBody
    /// The connection, if the server answered 101 (Switching Protocols) to a request with `Upgrade`; otherwise `nil`.
    public var upgrade: UpgradedConnection?

    /// Creates a reply.
    public init(response: Response, body: ResponseBody, upgrade: UpgradedConnection? = nil) {
        self.response = response
        self.body = body
        self.upgrade = upgrade
    }
}
