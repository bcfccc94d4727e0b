// SPDX-License-Identifier: Apache-2.0

/// The extension that compresses messages (RFC 7692 §7).
public enum PerMessageDeflate: Sendable {
    package static let token = "permessage-deflate"

    /// The offer of a client (RFC 7692 §7.1).
    public struct Offer: Hashable, Sendable {
        /// Whether the server must compress each message separately: this can save memory on the server, but make messages larger.
        public var serverNoContextTakeover = false

        /// Whether the client announces that it compresses each message separately.
        public var clientNoContextTakeover = false

        /// The base-2 logarithm of the largest window that the server may use, 8...15; `nil` means 15.
        public var serverMaximumWindowBits: Int?

        /// The offer for the client's own window.
        public var clientMaximumWindowBits = ClientWindow.any

        /// Creates an offer in which both sides may refer to earlier messages, with windows of up to 32 KiB.
        public init() {}

        package var fieldValue: String {
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

        var isValid: Bool {
            let server = self.serverMaximumWindowBits ?? 15
            return switch self.clientMaximumWindowBits {
            case .unmentioned, .any: 8...15 ~= server
            case .bits(let bits): 8...15 ~= server && 9...15 ~= bits
            }
        }
    }

    /// The part of an offer about the client's window, in one of the three forms of RFC 7692 §7.1.2.2.
    public enum ClientWindow: Hashable, Sendable {
        /// The offer does not mention the window, so the server must not limit it.
        case unmentioned
        /// The server may limit the window.
        case any
        /// The window has at most this many bits, 9...15 (zlib has no raw deflate with 8); the server may limit it further.
        case bits(Int)
    }

    /// The compression on which client and server agreed in the handshake.
    public struct Agreement: Hashable, Sendable {
        /// Whether the server compresses each message separately.
        public var serverNoContextTakeover: Bool
        /// Whether the client must compress each message separately.
        public var clientNoContextTakeover: Bool
        /// The base-2 logarithm of the server's window, 8...15.
        public var serverWindowBits: Int
        /// The base-2 logarithm of the client's window, 8...15; with 8, ``MessageDeflater`` finds only runs of equal bytes.
        public var clientWindowBits: Int

        /// Creates an agreement, by default with references to earlier messages and windows of 32 KiB; traps outside 8...15 bits.
        public init(
            serverNoContextTakeover: Bool = false,
            clientNoContextTakeover: Bool = false,
            serverWindowBits: Int = 15,
            clientWindowBits: Int = 15
        ) {
            precondition(
                8...15 ~= serverWindowBits && 8...15 ~= clientWindowBits,
                "the number of window bits must be from 8 to 15"
            )
            self.serverNoContextTakeover = serverNoContextTakeover
            self.clientNoContextTakeover = clientNoContextTakeover
            self.serverWindowBits = serverWindowBits
            self.clientWindowBits = clientWindowBits
        }
    }

    enum Parameter: String, CaseIterable {
        case serverNoContextTakeover = "server_no_context_takeover"
        case clientNoContextTakeover = "client_no_context_takeover"
        case serverMaximumWindowBits = "server_max_window_bits"
        case clientMaximumWindowBits = "client_max_window_bits"
    }
}

extension PerMessageDeflate.Offer {
    /// Returns the agreement; fails if a parameter is undefined, repeated or invalid, or does not fit the offer (RFC 7692 §7.1).
    func agreement(_ parameters: [ExtensionList.Parameter]) throws(HandshakeViolation) -> PerMessageDeflate.Agreement {
        var values: [PerMessageDeflate.Parameter: String?] = [:]
        for parameter in parameters {
            guard let known = PerMessageDeflate.Parameter(rawValue: parameter.name) else {
                throw .unknownParameter
            }
            guard values.updateValue(parameter.value, forKey: known) == nil else {
                throw .repeatedParameter(known.rawValue)
            }
        }
        let clientBits = try self.clientWindowBits(values)
        return PerMessageDeflate.Agreement(
            serverNoContextTakeover: try self.serverNoContextTakeover(values),
            // §7.1.1.2: if the offer contains the parameter, the client keeps no context, even if the response does not repeat
            // it.
            clientNoContextTakeover: try Self.flag(.clientNoContextTakeover, values) || self.clientNoContextTakeover,
            serverWindowBits: try self.serverWindowBits(values),
            clientWindowBits: clientBits
        )
    }

    private typealias Values = [PerMessageDeflate.Parameter: String?]

    private func serverNoContextTakeover(_ values: Values) throws(HandshakeViolation) -> Bool {
        let isAccepted = try Self.flag(.serverNoContextTakeover, values)
        // §7.1.1.1: a server accepts an offer with this parameter by including it in the response.
        guard isAccepted || !self.serverNoContextTakeover else {
            throw .ignoredParameter(PerMessageDeflate.Parameter.serverNoContextTakeover.rawValue)
        }
        return isAccepted
    }

    private func serverWindowBits(_ values: Values) throws(HandshakeViolation) -> Int {
        let name = PerMessageDeflate.Parameter.serverMaximumWindowBits
        guard let value = values[name] else {
            // §7.1.2.1: a server accepts an offer with this parameter by including it in the response. Without it, the window has
            // 15 bits, which satisfies an offer of 15. aiohttp sends such a response.
            guard (self.serverMaximumWindowBits ?? 15) == 15 else { throw .ignoredParameter(name.rawValue) }
            return 15
        }
        // §7.1.2.1: the value is the same as in the offer, or smaller.
        guard let bits = Self.windowBits(value), bits <= self.serverMaximumWindowBits ?? 15 else {
            throw .badParameter(name.rawValue)
        }
        return bits
    }

    private func clientWindowBits(_ values: Values) throws(HandshakeViolation) -> Int {
        let name = PerMessageDeflate.Parameter.clientMaximumWindowBits
        let offered: Int
        switch self.clientMaximumWindowBits {
        case .unmentioned:
            // §7.1.2.2: the response may contain the parameter only if the offer contains it.
            guard values[name] == nil else { throw .badParameter(name.rawValue) }
            return 15
        case .any: offered = 15
        case .bits(let bits): offered = bits
        }
        guard let value = values[name] else { return offered }
        guard let bits = Self.windowBits(value), bits <= offered else { throw .badParameter(name.rawValue) }
        return bits
    }

    private static func flag(
        _ name: PerMessageDeflate.Parameter,
        _ values: Values
    ) throws(HandshakeViolation) -> Bool {
        guard let value = values[name] else { return false }
        guard value == nil else { throw .badParameter(name.rawValue) }
        return true
    }

    private static func windowBits(_ value: String?) -> Int? {
        switch value {
        case "8": 8
        case "9": 9
        case "10": 10
        case "11": 11
        case "12": 12
        case "13": 13
        case "14": 14
        case "15": 15
        default: nil
        }
    }
}
