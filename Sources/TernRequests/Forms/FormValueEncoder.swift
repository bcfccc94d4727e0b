// SPDX-License-Identifier: Apache-2.0

struct FormValueEncoder: Encoder {
    let node: FormNode
    let encoder: FormEncoder
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        self.node.begin(.members([]))
        return KeyedEncodingContainer(FormMembers(node: self.node, encoder: self.encoder, codingPath: self.codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        self.node.begin(.elements([]))
        return FormElements(node: self.node, encoder: self.encoder, codingPath: self.codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        FormPlainValue(node: self.node, encoder: self.encoder, codingPath: self.codingPath)
    }
}

private struct FormPlainValue: SingleValueEncodingContainer {
    let node: FormNode
    let encoder: FormEncoder
    let codingPath: [any CodingKey]

    func encodeNil() { self.node.content = .none }
    func encode(_ value: Bool) { self.node.content = .text(self.encoder.text(of: value)) }
    func encode(_ value: String) { self.node.content = .text(value) }
    func encode(_ value: Double) throws { try self.node.encode(number: value, at: self.codingPath) }
    func encode(_ value: Float) throws { try self.node.encode(number: value, at: self.codingPath) }
    func encode<Value: Encodable>(_ value: Value) throws {
        if let number = value as? any BinaryInteger {
            self.node.content = .text(number.description)
        } else {
            try self.node.encode(value, by: self.encoder, at: self.codingPath)
        }
    }
    func encode(_ value: Int) { self.node.content = .text(value.description) }
    func encode(_ value: Int8) { self.node.content = .text(value.description) }
    func encode(_ value: Int16) { self.node.content = .text(value.description) }
    func encode(_ value: Int32) { self.node.content = .text(value.description) }
    func encode(_ value: Int64) { self.node.content = .text(value.description) }
    func encode(_ value: UInt) { self.node.content = .text(value.description) }
    func encode(_ value: UInt8) { self.node.content = .text(value.description) }
    func encode(_ value: UInt16) { self.node.content = .text(value.description) }
    func encode(_ value: UInt32) { self.node.content = .text(value.description) }
    func encode(_ value: UInt64) { self.node.content = .text(value.description) }
}

private struct FormMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: FormNode
    let encoder: FormEncoder
    let codingPath: [any CodingKey]

    private func child(_ key: Key) -> FormValueEncoder {
        let node = self.node.member(key.stringValue)
        return FormValueEncoder(node: node, encoder: self.encoder, codingPath: self.codingPath + [key])
    }

    func encodeNil(forKey key: Key) { _ = self.child(key) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        let child = self.child(key)
        try child.node.encode(value, by: self.encoder, at: child.codingPath)
    }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { self.child(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { self.child(key).unkeyedContainer() }
    func superEncoder() -> any Encoder {
        let node = self.node.member("super")
        return FormValueEncoder(node: node, encoder: self.encoder, codingPath: self.codingPath)
    }
    func superEncoder(forKey key: Key) -> any Encoder { self.child(key) }

    // The default implementations leave out `nil`; here, ``FormEncoder/nils`` decides how to write it.
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try self.encode(value, forKey: key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try self.encode(value, forKey: key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try self.encode(value, forKey: key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try self.encode(value, forKey: key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try self.encode(value, forKey: key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try self.encode(value, forKey: key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try self.encode(value, forKey: key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try self.encode(value, forKey: key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try self.encode(value, forKey: key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try self.encode(value, forKey: key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try self.encode(value, forKey: key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try self.encode(value, forKey: key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try self.encode(value, forKey: key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try self.encode(value, forKey: key) }
    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        try self.encode(value, forKey: key)
    }
}

private struct FormElements: UnkeyedEncodingContainer {
    let node: FormNode
    let encoder: FormEncoder
    let codingPath: [any CodingKey]
    private(set) var count = 0

    init(node: FormNode, encoder: FormEncoder, codingPath: [any CodingKey]) {
        self.node = node
        self.encoder = encoder
        self.codingPath = codingPath
    }

    private mutating func child() -> FormValueEncoder {
        defer { self.count += 1 }
        let path = self.codingPath + [Index(intValue: self.count)]
        return FormValueEncoder(node: self.node.element(), encoder: self.encoder, codingPath: path)
    }

    mutating func encodeNil() { _ = self.child() }
    mutating func encode<Value: Encodable>(_ value: Value) throws {
        let child = self.child()
        try child.node.encode(value, by: self.encoder, at: child.codingPath)
    }
    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        self.child().container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self.child().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { self.child() }

    private struct Index: CodingKey {
        let intValue: Int?
        var stringValue: String { "Index \(self.intValue ?? 0)" }

        init(intValue: Int) { self.intValue = intValue }
        init?(stringValue: String) { nil }
    }
}
