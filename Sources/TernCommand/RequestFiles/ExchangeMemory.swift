// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Synchronization
import Tern
import TernFoundation
import TernRequestFiles
import TernRequests

/// The exchanges to which later requests of a run refer, as in `{{login.response.body.token}}`.
final class ExchangeMemory: Sendable {
    /// The maximum length of a body to which later requests refer, in bytes.
    static let maximumByteCount = 1 << 20

    private struct Message {
        var fields: HTTPFields
        /// The body; `nil` if it is too long, or in a file.
        var body: [UInt8]?
    }

    private struct Exchange {
        let request: Message
        var response: Message
    }

    private let names: Set<String>
    private let exchanges = Mutex<[String: Exchange]>([:])

    init(_ names: Set<String>) { self.names = names }

    func needs(_ definition: RequestDefinition) -> Bool { self.name(of: definition) != nil }

    /// Returns the name by which other requests refer to a request; `nil` if no request refers to it.
    private func name(of definition: RequestDefinition) -> String? {
        (definition.name ?? definition.title).flatMap { self.names.contains($0) ? $0 : nil }
    }

    func begin(_ definition: RequestDefinition, _ request: Request, _ answer: HTTPFields) {
        guard let name = self.name(of: definition) else { return }
        var fields = request.fields
        if !fields.contains(.contentType), let type = request.body?.contentType { fields[.contentType] = type }
        let sent = Message(fields: fields, body: Self.bytes(of: request.body))
        let exchange = Exchange(request: sent, response: Message(fields: answer, body: []))
        self.exchanges.withLock { $0[name] = exchange }
    }

    private static func bytes(of body: RequestBody?) -> [UInt8]? {
        guard let body else { return [] }
        guard case .data(let data) = body.content, data.count <= Self.maximumByteCount else { return nil }
        return Array(data)
    }

    func append(_ bytes: Data, to definition: RequestDefinition) {
        guard let name = self.name(of: definition) else { return }
        self.exchanges.withLock { exchanges in
            exchanges[name]?.response.body?.append(contentsOf: bytes)
            let count = exchanges[name]?.response.body?.count ?? 0
            if count > Self.maximumByteCount { exchanges[name]?.response.body = nil }
        }
    }

    func value(_ reference: MessageReference) throws(CommandFailure) -> VariableValue {
        guard let exchange = self.exchanges.withLock({ $0[reference.request] }) else {
            throw Self.failure("\(reference.request) has not been sent before")
        }
        let message = reference.message == .request ? exchange.request : exchange.response
        if case .field(let name) = reference.part {
            guard let value = HTTPField.Name(name).flatMap({ message.fields[$0] }) else {
                throw Self.failure("\(reference.label) has no field \(name)")
            }
            return .text(value)
        }
        guard let body = message.body else {
            throw Self.failure("the body of \(reference.label) is longer than 1 MiB, or comes from a file")
        }
        guard let text = String(validating: body, as: UTF8.self) else {
            throw Self.failure("the body of \(reference.label) is not text")
        }
        guard case .value(let steps) = reference.part else { return .text(text) }
        guard var value = TypedJSON(text) else {
            throw Self.failure("the body of \(reference.label) is not JSON")
        }
        for step in steps {
            guard let next = value.stepped(step) else {
                throw Self.failure("the body of \(reference.label) has no value at \(Self.text(step))")
            }
            value = next
        }
        return .json(value)
    }

    private static func text(_ step: MessageReference.Step) -> String {
        switch step {
        case .member(let name): name
        case .element(let index): "[\(index)]"
        }
    }

    private static func failure(_ message: String) -> CommandFailure {
        CommandFailure(outcome: .usage, message: TerminalText.sanitized(message))
    }
}

extension MessageReference {
    var label: String {
        switch self.message {
        case .request: "the request \(self.request)"
        case .response: "the response to \(self.request)"
        }
    }
}

extension RequestDefinition {
    /// Returns whether a request has a name, or has it as its title.
    func isCalled(_ name: String) -> Bool { self.name == name || self.name == nil && self.title == name }
}

extension TypedJSON {
    fileprivate func stepped(_ step: MessageReference.Step) -> TypedJSON? {
        switch (self, step) {
        case (.object(let members), .member(let name)): members[name]
        case (.array(let values), .element(let index)) where values.indices.contains(index): values[index]
        default: nil
        }
    }
}
