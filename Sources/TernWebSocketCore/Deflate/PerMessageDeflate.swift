// SPDX-License-Identifier: Apache-2.0

/// The extension that compresses messages (RFC 7692 §7).
public enum PerMessageDeflate: Sendable {
    /// The name by which it is negotiated.
    public static let token = "permessage-deflate"

    /// What a client asks for (RFC 7692 §7.1).
    public struct Offer: Hashable, Sendable {
        /// Whether the server must compress each message by itself; `false` by default, for context makes messages small.
        ///
        /// `true` costs compression; what it spares is the server's.
        public var serverNoContextTakeover = false

        /// Whether this side says that it compresses each message by itself; `false` by default.
        public var clientNoContextTakeover = false

        /// The largest window that the server may use, as a power of two, 8...15; `nil` by default, which is 15.
        public var serverMaximumWindowBits: Int?

        /// What is said about this side's window; ``ClientWindow/any`` by default.
        public var clientMaximumWindowBits = ClientWindow.any

        /// Creates an offer with context in both directions and windows of 32 KiB; change what must differ.
        public init() {}

        /// The offer as it stands in `Sec-WebSocket-Extensions`.
        public var fieldValue: String {
            var parts = [PerMessageDeflate.token]
            if self.serverNoContextTakeover { parts.append(Parameter.serverNoContextTakeover.rawValue) }
            if self.clientNoContextTakeover { parts.append(Parameter.clientNoContextTakeover.rawValue) }
            if let bits = self.serverMaximumWindowBits {
                parts.append("\(Parameter.serverMaximumWindowBits.rawValue)=\(bits)")
            }
            switch self.clientMaximumWindowBits {
            case .unmentioned: break
            case .any: parts.append(Parameter.clientMaximumWindowBits.rawValue)
            case .bits(let bits): parts.append("\(Parameter.clientMaximumWindowBits.rawValue)=\(bits)")
            }
            return parts.joined(separator: "; ")
        }

        /// Whether the window sizes are in their ranges.
        var isValid: Bool {
            let server = self.serverMaximumWindowBits ?? 15
            return switch self.clientMaximumWindowBits {
            case .unmentioned, .any: 8...15 ~= server
            case .bits(let bits): 8...15 ~= server && 9...15 ~= bits
            }
        }
    }

    /// What an offer says about the window with which the client compresses (RFC 7692 §7.1.2.2).
    public enum ClientWindow: Hashable, Sendable {
        /// Nothing, so that the server may not limit it.
        case unmentioned
        /// That the server may limit it.
        case any
        /// That it is at most this power of two, 9...15, and that the server may limit it more.
        ///
        /// 8 cannot be promised, for zlib has no raw deflate with so small a window.
        case bits(Int)
    }

    /// What both sides agreed on.
    public struct Agreement: Hashable, Sendable {
        /// Whether the server compresses each message by itself.
        public var serverNoContextTakeover: Bool
        /// Whether this side must compress each message by itself.
        public var clientNoContextTakeover: Bool
        /// The window of the server, as a power of two, 8...15.
        public var serverWindowBits: Int
        /// The window of this side, as a power of two, 8...15.
        ///
        /// Also the smallest one is kept to: ``MessageDeflater`` then looks for runs of equal bytes only, which need no
        /// window, because zlib has no raw deflate with 256 bytes.
        public var clientWindowBits: Int

        /// Creates an agreement, by default with context in both directions and windows of 32 KiB.
        public init(
            serverNoContextTakeover: Bool = false,
            clientNoContextTakeover: Bool = false,
            serverWindowBits: Int = 15,
            clientWindowBits: Int = 15
        ) {
            precondition(8...15 ~= serverWindowBits && 8...15 ~= clientWindowBits, "window bits are 8...15")
            self.serverNoContextTakeover = serverNoContextTakeover
            self.clientNoContextTakeover = clientNoContextTakeover
            self.serverWindowBits = serverWindowBits
            self.clientWindowBits = clientWindowBits
        }
    }

    /// The four parameters (RFC 7692 §7.1).
    enum Parameter: String, CaseIterable {
        case serverNoContextTakeover = "server_no_context_takeover"
        case clientNoContextTakeover = "client_no_context_takeover"
        case serverMaximumWindowBits = "server_max_window_bits"
        case clientMaximumWindowBits = "client_max_window_bits"
    }
}
