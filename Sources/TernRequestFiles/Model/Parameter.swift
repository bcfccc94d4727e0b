// SPDX-License-Identifier: Apache-2.0

/// What has to be known to make a request.
package struct Parameter: Hashable, Sendable {
    /// Its name.
    package let name: String
    /// Its type; `String` unless `@param` says otherwise.
    package let type: TypeName
    /// The default value; `nil` if a value must be given.
    package let defaultValue: DefaultValue?
    /// What `@param` says of it; `nil` if nothing.
    package let documentation: String?
    /// Where it is first written.
    package let position: TextPosition
    /// What it stands for, in order.
    package internal(set) var places: [VariablePlace] = []

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
    package enum DefaultValue: Hashable, Sendable {
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

/// The name of a Swift type, such as `Int`, `[Photo]` or `Size?`.
package struct TypeName: Hashable, Sendable {
    /// A type whose values are written without help, on the command line too.
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

    /// The type as it is written, without white space.
    package let text: String
    /// What it is apart from being optional, if it is a scalar; `nil` for others.
    package let scalar: Scalar?
    /// Whether it ends with a question mark.
    package let isOptional: Bool
    /// Whether it is one name, and no list, dictionary or optional of them.
    package let isPlain: Bool

    /// The type of what is not described.
    package static let string = TypeName(text: "String", scalar: .string, isOptional: false, isPlain: true)

    private init(text: String, scalar: Scalar?, isOptional: Bool, isPlain: Bool) {
        (self.text, self.scalar, self.isOptional, self.isPlain) = (text, scalar, isOptional, isPlain)
    }

    /// Reads a type.
    ///
    /// - Parameter text: a name, which may have dots in it; a list of a type in brackets, `[Photo]`; a dictionary,
    ///   `[String:Int]`; or one of these with a question mark. `nil` results from anything else, and from more than
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

    /// Drops one type from the front; the length is bounded, and so is the depth.
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
    /// The type as it is written.
    package var description: String { self.text }
}
