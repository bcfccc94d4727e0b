// SPDX-License-Identifier: Apache-2.0

extension Credential.Content: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind, with all of it masked; the name too, for many services take a token in its place.
    public var description: String {
        switch self {
        case .password: "password(\(FieldText.mask))"
        case .token: "token(\(FieldText.mask))"
        case .trust: "trust"
        case .identity: "identity(\(FieldText.mask))"
        }
    }

    /// The same.
    public var debugDescription: String { self.description }

    /// Shows nothing to `dump`.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind, with all of it masked: `password(***)`.
    public var description: String { self.content.description }

    /// The same.
    public var debugDescription: String { self.description }

    /// Shows the kind and the persistence to `dump`.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: ["content": self.content.description, "persistence": self.persistence],
            displayStyle: .struct
        )
    }
}
