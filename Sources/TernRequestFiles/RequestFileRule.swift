// SPDX-License-Identifier: Apache-2.0
import TernFoundation

/// A rule for request files.
///
/// Each case is a way to break a rule.
///
/// The names in associated values come from the file, and have at most 64 bytes.
package enum RequestFileRule: Hashable, Sendable {
    // The file.
    /// The file is longer than 1 MiB.
    case fileTooLong
    /// The bytes are not UTF-8.
    case notUTF8
    /// The file contains a control character other than a tab or a line ending.
    case controlCharacter
    /// The file exceeds a limit of ``RequestFileLimits``. The associated text says what the file has too many of.
    case tooMany(String)

    // Variables and comments.
    /// A line that begins with `@` is not `@name = value`.
    case malformedVariable
    /// A variable of the file is defined twice.
    case duplicateVariable(String)
    /// The value of a variable contains a variable that the file does not define on an earlier line.
    case undefinedVariable(String)
    /// The value of a variable contains the variable itself.
    case circularVariable(String)
    /// The value of a variable, after replacements, is longer than 8 KiB.
    case valueTooLong
    /// `{{` without `}}` on the same line.
    case unclosedVariable
    /// The text between `{{` and `}}` is not a name.
    case malformedVariableName
    /// The file uses a variable that an editor generates, such as `{{$guid}}`.
    case dynamicVariable
    /// Warning: the file takes a value from the environment of the process, which may be a secret.
    case environmentVariable(String)
    /// A comment begins with `@` and an unknown word.
    case unknownDirective
    /// Warning: a comment begins with `@` and a word that only other editors know. The directive is ignored.
    case ignoredDirective(String)
    /// A directive comes after the request line instead of before it.
    case misplacedDirective
    /// A directive occurs twice.
    case duplicateDirective(String)
    /// The name of a request is empty or too long, begins with a digit, or contains a character other than an ASCII
    /// letter, a digit or `_`.
    case malformedName
    /// Two requests have the same name.
    case duplicateName(String)
    /// `@access` is not followed by `public` or `internal`, comes after the first `###`, or occurs twice.
    case malformedAccess
    /// A directive other than `@access` is not followed by a request line.
    case noRequest

    // Parameters and results.
    /// `@param` is not followed by a name, or the rest cannot be parsed.
    case malformedParameter
    /// The type of a parameter or a result cannot be parsed.
    case malformedType
    /// `@returns` is followed by `Events` or `Values`, but not by a complete description of a stream.
    case malformedStream
    /// `@until` is not followed by `data` and a text, or by `event` and the types of events.
    case malformedUntil
    /// `@until` describes a request whose result does not consist of events.
    case untilNeedsEvents
    /// There is text after `@reconnect`.
    case malformedReconnect
    /// `@reconnect` describes a request whose result is not `Events`.
    case reconnectNeedsEvents
    /// Two `@param` describe the same parameter.
    case duplicateParameter(String)
    /// `@param` describes a parameter that does not occur in the request.
    case unusedParameter(String)
    /// A parameter has the name of a variable of the file.
    case parameterIsVariable(String)
    /// A variable, a parameter or a request has a name that the generated code needs or that Swift does not allow, or a
    /// request has the name of a variable of the file.
    case reservedName(String)
    /// A default does not match the type.
    case malformedDefault
    /// The type is optional, but the parameter occurs in a place where a value is necessary.
    case optionalNotPossible(String)
    /// The type, such as a list, is not possible in the place where the parameter occurs.
    case typeNotPossible(String)
    /// A parameter stands for a JSON value, and no `@param` gives its type.
    case typeNeeded(String)
    /// A variable of the file, which is always text, stands for a JSON value without quotes.
    case quotesNeeded(String)

    // The request line.
    /// The method is not supported.
    case unknownMethod
    /// The method is in lower case. Only requests that are sent may have such a method.
    case methodInLowerCase
    /// There is no URL.
    case missingURL
    /// The URL does not begin with a scheme. Only requests that are sent may have such a URL.
    case missingScheme
    /// A request line follows a body without a line `###`.
    case missingSeparator
    /// The URL begins with neither a known scheme nor a variable.
    case malformedScheme
    /// The host is malformed.
    case malformedHost
    /// The port is invalid.
    case malformedPort
    /// The URL contains a user or a password.
    case userInURL
    /// The host or the port contains a variable that the file does not define.
    case variableInHost(String)
    /// The value of the variable that begins the URL is not an address.
    case malformedAddress(String)
    /// The variable that begins the URL is not followed by a slash or a question mark.
    case malformedAddressEnd(String)
    /// The path or the query contains a character that must be percent-encoded.
    case malformedTarget
    /// `.` or `..` as a component of the path.
    case dotSegmentInPath
    /// `#` in the URL.
    case fragment
    /// A variable of the file occurs in the path, and its value contains a slash, a question mark or a number sign.
    case valueWouldBeEncoded(String)
    /// A line after the URL is indented, but does not continue the path or the query.
    case malformedContinuation
    /// Warning: the request line names a version of HTTP other than HTTP/1.1. The version has no effect.
    case otherVersion

    // Fields and body.
    /// There is no empty line between the fields and the body.
    case bodyWithoutEmptyLine
    /// A comment in a body, or behind it.
    case commentInBody
    /// A line is not a field.
    case malformedField
    /// A blank between the name of a field and the colon.
    case blankBeforeColon
    /// A field occurs twice.
    case duplicateField
    /// The request has a field that the client sets itself, such as `Content-Length`.
    case framingField
    /// `Authorization: Basic name password`, or a value that begins with `Digest`. Editors encode such values.
    case editorAuthorization
    /// A body has variables, but no media type that determines how they are escaped.
    case typeOfBodyNeeded
    /// A body contains a variable, but its media type does not allow variables.
    case variableNotPossible
    /// A variable in the media type of a body.
    case variableInType
    /// A multipart body.
    case multipart
    /// A body that editors turn into JSON for GraphQL.
    case graphQL
    /// The line of a body from a file has no path, has a variable in the path, or begins with `<@`; or other lines
    /// follow it.
    case malformedFileBody
    /// The request has a body, although its method does not allow one, or although it opens a WebSocket.
    case bodyNotAllowed
    /// The JSON is invalid from here on.
    case malformedJSON
    /// The JSON is not complete.
    case incompleteJSON
    /// A variable is the key of an object, without quotes.
    case variableAsKey(String)
    /// The form is invalid from here on.
    case malformedForm
    /// A WebSocket request is not a `GET`, or its `@returns` is not `WebSocket`.
    case malformedWebSocket

    // Scripts.
    /// There is text after a line that begins with `>` or `<>`. Such a line ends the body.
    case textBehindBody
    /// The file contains a script that should run before the request.
    case requestScript
    /// Warning: the file contains a script that should run after the response. This script is ignored.
    case responseScript
    /// Warning: the request names a file to write the response to. The name is ignored.
    case responseFile
}

/// An error or a warning about a request file: the rule, the position and the solution.
package struct Diagnostic: Error, Hashable, Sendable {
    /// The rule that is broken.
    package let rule: RequestFileRule
    /// The position in the file.
    package let position: TextPosition

    /// Whether the rule is only for ``RequestFile/Purpose/generating``, and the reader went on.
    package let isForgiven: Bool

    /// Whether this is a warning, so that the file can still be used.
    package var isWarning: Bool { self.isForgiven || self.rule.isWarning }

    /// The problem and its solution, or what the reader did with a forgiven problem, as a sentence without a period.
    package var sentence: String { (self.isForgiven ? self.rule.consequence : nil) ?? self.rule.description }

    init(_ rule: RequestFileRule, at position: TextPosition, isForgiven: Bool = false) {
        self.rule = rule
        self.position = position
        self.isForgiven = isForgiven
    }
}

extension Diagnostic: CustomStringConvertible {
    /// The line, the column and a sentence, in the format of compilers: `3:5: error: …`.
    package var description: String {
        "\(self.position): \(self.isWarning ? "warning" : "error"): \(self.sentence)"
    }
}

extension Diagnostic: LocalizedError {
    /// One sentence that an app may show; its wording is not stable.
    ///
    /// If a long name would make the sentence longer than 160 characters, the sentence gives only the position.
    /// ``description`` always names the rule.
    package var errorDescription: String? {
        let place = "\(self.position.line), column \(self.position.column)"
        let sentence = "Line \(place): \(self.sentence)."
        return sentence.count <= 160 ? sentence : "The request file has an error on line \(place)."
    }
}

/// A position in a file.
package struct TextPosition: Hashable, Sendable, Comparable {
    /// The line, from 1.
    package let line: Int
    /// The column, from 1, in bytes of UTF-8, as compilers count.
    package let column: Int

    init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Returns whether a position comes before another.
    package static func < (left: TextPosition, right: TextPosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

extension TextPosition: CustomStringConvertible {
    /// Line and column: `3:5`.
    package var description: String { "\(self.line):\(self.column)" }
}

/// The reason why a request file cannot be used.
package struct RequestFileFailure: Error, Hashable, Sendable {
    /// The errors and warnings, in the order of the file; at most ``RequestFileLimits/maximumDiagnosticCount``.
    package let diagnostics: [Diagnostic]
}

extension RequestFileFailure: CustomStringConvertible {
    /// The diagnostics, one per line.
    package var description: String { self.diagnostics.map(\.description).joined(separator: "\n") }
}

extension RequestFileFailure: LocalizedError {
    /// One English sentence that an app may show; its wording is not stable.
    package var errorDescription: String? {
        let errorCount = self.diagnostics.count(where: { !$0.isWarning })
        guard let first = self.diagnostics.first(where: { !$0.isWarning }) ?? self.diagnostics.first else {
            return "The request file cannot be used."
        }
        return errorCount > 1
            ? "The request file has \(errorCount) errors, the first on line \(first.position.line)."
            : "The request file has an error on line \(first.position.line)."
    }
}
