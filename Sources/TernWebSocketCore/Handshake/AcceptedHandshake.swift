// SPDX-License-Identifier: Apache-2.0

/// What client and server agreed on in an opening handshake.
public struct AcceptedHandshake: Hashable, Sendable {
    /// The subprotocol that the server chose of those offered; `nil` if it chose none.
    public var subprotocol: String?

    /// How messages may be compressed; `nil` if they must not be.
    public var deflate: PerMessageDeflate.Agreement?

    /// Creates an agreement, by default on nothing.
    public init(subprotocol: String? = nil, deflate: PerMessageDeflate.Agreement? = nil) {
        (self.subprotocol, self.deflate) = (subprotocol, deflate)
    }
}
