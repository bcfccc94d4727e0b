// SPDX-License-Identifier: Apache-2.0

/// What has to be known to make a request.
public struct Parameter: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// Its type; `String` unless `@param` says otherwise.
    public let type: TypeName
    /// What it is if nobody says otherwise; `nil` if it must be said.
    public let defaultValue: DefaultValue?
    /// What `@param` says of it; `nil` if nothing.
    public let documentation: String?
    /// Where it is first written.
    public let position: TextPosition
    /// What it stands for, in order.
    public internal(set) var places: [VariablePlace] = []

    /// Whether `@param` says the type.
    var isTyped = false

    init(
        name: String,
        type: TypeName = .string,
        defaultValue: DefaultValue? = nil,
        documentation: String? = nil,
        position: TextPosition,
        isTyped: Bool = false
    ) {
        self.name = name
        self.type = type
        self.defaultValue = defaultValue
        self.documentation = documentation
        self.position = position
        self.isTyped = isTyped
    }

    /// A value as it is written in a file.
    public enum DefaultValue: Hashable, Sendable {
        /// A text, without its quotes.
        case text(String)
        /// A number, as written.
        case number(String)
        /// A truth value.
        case bool(Bool)
        /// No value.
        case null
    }
}
