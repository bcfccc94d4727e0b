// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

extension ClientHandshake {
    /// Judges the server's answer (RFC 6455 §4.1).
    ///
    /// - Parameters:
    ///   - status: the status code of the response.
    ///   - fields: its fields.
    /// - Returns: what was agreed on.
    /// - Throws: the first rule that the answer breaks; then there is no WebSocket.
    public func check(status: Int, fields: HTTPFields) throws(HandshakeViolation) -> AcceptedHandshake {
        guard status == 101 else { throw .notSwitched(status: status) }
        try Self.checkSwitch(fields)
        try self.checkAccept(fields)
        return AcceptedHandshake(subprotocol: try self.subprotocol(fields), deflate: try self.agreement(fields))
    }

    private static func checkSwitch(_ fields: HTTPFields) throws(HandshakeViolation) {
        let upgrades = fields[values: .upgrade]
        guard !upgrades.isEmpty else { throw .missingUpgrade }
        // "contains a value that is not an ASCII case-insensitive match for the value websocket"
        guard upgrades.count == 1, Token.matches(Token.trimmed(upgrades[0]), "websocket") else { throw .wrongUpgrade }
        let connections = fields[values: .connection]
        guard !connections.isEmpty else { throw .missingConnection }
        let isUpgraded = connections.contains { value in
            value.split(separator: ",").contains { Token.matches(Token.trimmed($0), "upgrade") }
        }
        guard isUpgraded else { throw .wrongConnection }
    }

    private func checkAccept(_ fields: HTTPFields) throws(HandshakeViolation) {
        let accepts = fields[values: .secWebSocketAccept]
        guard let accept = accepts.first else { throw .missingAccept }
        guard accepts.count == 1 else { throw .repeatedAccept }
        // "ignoring any leading and trailing whitespace"
        guard Token.trimmed(accept) == Self.accept(for: self.key) else { throw .wrongAccept }
    }

    private func subprotocol(_ fields: HTTPFields) throws(HandshakeViolation) -> String? {
        let values = fields[values: .secWebSocketProtocol]
        guard let value = values.first else { return nil }
        // §11.3.4: the field must not appear more than once in a response.
        guard values.count == 1 else { throw .repeatedSubprotocol }
        // Names differ if their case does (§4.1 compares them as they are).
        let name = Token.trimmed(value)
        guard self.subprotocols.contains(name) else { throw .unknownSubprotocol }
        return name
    }

    private func agreement(_ fields: HTTPFields) throws(HandshakeViolation) -> PerMessageDeflate.Agreement? {
        var agreement: PerMessageDeflate.Agreement?
        // §11.3.2: the field may come several times, which is the same as one list.
        for value in fields[values: .secWebSocketExtensions] {
            guard let list = ExtensionList(value) else { throw .malformedExtensions }
            for element in list.elements {
                guard let offer = self.deflate, element.name == PerMessageDeflate.token else { throw .unknownExtension }
                guard agreement == nil else { throw .repeatedExtension }
                agreement = try offer.agreement(element.parameters)
            }
        }
        return agreement
    }
}
