// SPDX-License-Identifier: Apache-2.0

/// A parameter of a request in an `.http` file.
///
/// The caller passes the value of the parameter when it makes the request.
package struct Parameter: Hashable, Sendable {
    /// The name of the parameter.
    package let name: String
    /// The type.
    ///
    /// Defaults to `String`; `@param` may give another type.
    package let type: TypeName
    /// The default value; `nil` if a value is required.
    package let defaultValue: DefaultValue?
    /// The description in `@param`; `nil` if there is none.
    package let documentation: String?
    /// The position of the parameter's first occurrence.
    package let position: TextPosition
    /// The places in the request where the parameter occurs, in the order of the file.
    package internal(set) var places: [VariablePlace] = []

    /// Whether `@param` gives the type.
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

    /// Returns the parameter with a type that the file does not give.
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

    /// The default value of a parameter, as written in the file.
    package enum DefaultValue: Hashable, Sendable {
        /// A text, without its quotes.
        case text(String)
        /// A number, as written.
        case number(String)
        /// A truth value.
        case bool(Bool)
        /// The default is `nil`: the file says so, or the type is optional and the file gives no default.
        case null
    }
}

/// The name of a Swift type, such as `Int`, `[Photo]` or `Size?`.
package struct TypeName: Hashable, Sendable {
    /// A type whose values people can write directly, as a default in a file or on the command line.
    package enum Scalar: String, Hashable, Sendable, CaseIterable {
        /// Text.
        case string = "String"
        /// A whole number.
        case int = "Int"
        /// A whole number of 32 bits.
        case int32 = "Int32"
        /// A whole number of 64 bits.
        case int64 = "Int64"
        /// A whole number that is not negative.
        case uint = "UInt"
        /// A number.
        case double = "Double"
        /// A truth value.
        case bool = "Bool"
    }

    /// The type as written, without white space.
    package let text: String
    /// The type without its question mark, if it is one of ``Scalar``; otherwise `nil`.
    package let scalar: Scalar?
    /// Whether the type ends with a question mark.
    package let isOptional: Bool
    /// Whether the type is a single name, without brackets or question marks.
    package let isPlain: Bool

    /// The type of a parameter for which the file gives no type.
    package static let string = TypeName(text: "String", scalar: .string, isOptional: false, isPlain: true)
    /// The type of a parameter in the place of a JSON value for which the file gives no type.
    ///
    /// Only requests that are sent have such parameters; code cannot be generated for them.
    package static let json = TypeName(text: "JSON", scalar: nil, isOptional: false, isPlain: true)

    private init(text: String, scalar: Scalar?, isOptional: Bool, isPlain: Bool) {
        (self.text, self.scalar, self.isOptional, self.isPlain) = (text, scalar, isOptional, isPlain)
    }

    /// Parses a type.
    ///
    /// - Parameter text: A name, which may contain dots; a list in brackets, `[Photo]`; a dictionary, `[String:Int]`;
    ///   or one of these with a question mark. The result is `nil` for anything else, and for more than
    ///   ``RequestFileLimits/maximumTypeByteCount`` bytes.
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

    /// Drops one type from the front of the bytes; returns whether there was one.
    ///
    /// The recursion cannot go too deep, because the length of a type is limited.
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
    /// The type as written.
    package var description: String { self.text }
}
