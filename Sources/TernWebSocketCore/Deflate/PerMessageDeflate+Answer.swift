// SPDX-License-Identifier: Apache-2.0

extension PerMessageDeflate.Offer {
    /// What comes of this offer by the server's answer to it.
    ///
    /// RFC 7692 §7.1: a client fails the connection if the answer has a parameter that is not defined, that comes twice,
    /// that has an invalid value, or that does not fit the offer.
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
            // §7.1.1.2: with the hint in the offer the client keeps no context, whether the answer repeats it or not.
            clientNoContextTakeover: try Self.flag(.clientNoContextTakeover, values) || self.clientNoContextTakeover,
            serverWindowBits: try self.serverWindowBits(values),
            clientWindowBits: clientBits
        )
    }

    private typealias Values = [PerMessageDeflate.Parameter: String?]

    private func serverNoContextTakeover(_ values: Values) throws(HandshakeViolation) -> Bool {
        let isAccepted = try Self.flag(.serverNoContextTakeover, values)
        // §7.1.1.1: a server accepts an offer with this parameter by including it in the answer.
        guard isAccepted || !self.serverNoContextTakeover else {
            throw .ignoredParameter(PerMessageDeflate.Parameter.serverNoContextTakeover.rawValue)
        }
        return isAccepted
    }

    private func serverWindowBits(_ values: Values) throws(HandshakeViolation) -> Int {
        let name = PerMessageDeflate.Parameter.serverMaximumWindowBits
        guard let value = values[name] else {
            // §7.1.2.1: a server accepts an offer with this parameter by including it in the answer. What an answer
            // without it means, a window of 15 bits, is what an offer of 15 asked for: aiohttp leaves it out.
            guard (self.serverMaximumWindowBits ?? 15) == 15 else { throw .ignoredParameter(name.rawValue) }
            return 15
        }
        // §7.1.2.1: the same value as in the offer, or a smaller one.
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
            // §7.1.2.2: without the parameter in the offer it must not be in the answer.
            guard values[name] == nil else { throw .badParameter(name.rawValue) }
            return 15
        case .any: offered = 15
        case .bits(let bits): offered = bits
        }
        guard let value = values[name] else { return offered }
        guard let bits = Self.windowBits(value), bits <= offered else { throw .badParameter(name.rawValue) }
        return bits
    }

    /// Whether a parameter that has no value is there.
    private static func flag(
        _ name: PerMessageDeflate.Parameter,
        _ values: Values
    ) throws(HandshakeViolation) -> Bool {
        guard let value = values[name] else { return false }
        guard value == nil else { throw .badParameter(name.rawValue) }
        return true
    }

    /// §7.1.2: a decimal integer without leading zeros between 8 and 15 inclusive.
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
