// SPDX-License-Identifier: Apache-2.0

/// A parameter of a request in an `.http` file, whose value the caller passes.
package struct Parameter: Hashable, Sendable {
    package let name: String
    /// The type from `@param`; without one, `String`, or ``TypeName/json`` for a JSON value in a request that is sent.
    package let type: TypeName
    package let defaultValue: DefaultValue?
    /// The description in `@param`.
    package let documentation: String?
    package let position: TextPosition
    /// The places in the request where the parameter occurs, in the order of the file.
    package internal(set) var places: [VariablePlace] = []

    /// Whether `@param` gives the type, or the type is ``TypeName/json``.
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

    func typed(_ type: TypeName) -> Parameter {
        var copy = Parameter(
            name: self.name,
            type: type,
            defaultValue: self.defaultValue,
            documentation: self.documentation,
            position: self.position,
            isTyped: true
        )
        copy.places = self.places
        return copy
    }

    package enum DefaultValue: Hashable, Sendable {
        case text(String)
        case number(String)
        case bool(Bool)
        case null
    }
}

/// The name of a Swift type, such as `Int`, `[Photo]` or `Size?`.
package struct TypeName: Hashable, Sendable {
    package enum Scalar: String, Hashable, Sendable, CaseIterable {
        case string = "String"
        case int = "Int"
        case int32 = "Int32"
        case int64 = "Int64"
        case uint = "UInt"
        case double = "Double"
        case bool = "Bool"
    }

    /// The type as written, without white space.
    package let text: String
    /// The type without its question mark, if it is one of ``Scalar``; otherwise `nil`.
    package let scalar: Scalar?
    package let isOptional: Bool
    /// Whether the type is a single name, without brackets or question marks.
    package let isPlain: Bool

    package static let string = TypeName(text: "String", scalar: .string, isOptional: false, isPlain: true)
    /// The type of a JSON value for which the file gives no type, only in requests that are sent.
    package static let json = TypeName(text: "JSON", scalar: nil, isOptional: false, isPlain: true)

    private init(text: String, scalar: Scalar?, isOptional: Bool, isPlain: Bool) {
        (self.text, self.scalar, self.isOptional, self.isPlain) = (text, scalar, isOptional, isPlain)
    }

    /// Parses a name, a list `[Photo]`, a dictionary `[String:Int]`, or one of these with a question mark.
    package init?(_ text: String) {
        guard text.utf8.count <= RequestFileLimits.maximumTypeByteCount else { return nil }
        var rest = Array(text.utf8)[...]
        guard Self.dropType(&rest), rest.isEmpty else { return nil }
        let isOptional = text.hasSuffix("?")
        let wrapped = isOptional ? String(text.dropLast()) : text
        self.init(
            text: text,
            scalar: Scalar(rawValue: wrapped),
            isOptional: isOptional,
            isPlain: !text.hasPrefix("[") && !isOptional
        )
    }

    /// Drops one type from the front of the bytes; the recursion is limited, because the length of a type is.
    private static func dropType(_ rest: inout ArraySlice<UInt8>) -> Bool {
        if rest.first == UInt8(ascii: "[") {
            rest.removeFirst()
            guard Self.dropType(&rest) else { return false }
            if rest.first == UInt8(ascii: ":") {
                rest.removeFirst()
                guard Self.dropType(&rest) else { return false }
            }
            guard rest.popFirst() == UInt8(ascii: "]") else { return false }
        } else {
            repeat {
                guard let first = rest.popFirst(), first.isNameStart else { return false }
                rest = rest.drop(while: \.isNameByte)
            } while Self.dropDot(&rest)
        }
        if rest.first == UInt8(ascii: "?") { rest.removeFirst() }
        return true
    }

    private static func dropDot(_ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == UInt8(ascii: ".") else { return false }
        rest.removeFirst()
        return true
    }
}

extension TypeName: CustomStringConvertible {
    package var description: String { self.text }
}
