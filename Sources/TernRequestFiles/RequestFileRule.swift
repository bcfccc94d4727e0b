// SPDX-License-Identifier: Apache-2.0
import TernFoundation

/// A rule for request files; each case is a way to break it.
///
/// The names in associated values come from the file, and have at most 64 bytes, or 256 for a ``ValueExpression``.
package enum RequestFileRule: Hashable, Sendable {
    // The file.
    case fileTooLong
    case notUTF8
    case controlCharacter
    /// The associated text names the things of which there are too many.
    case tooMany(String)

    // Variables and comments.
    case malformedVariable
    case duplicateVariable(String)
    case undefinedVariable(String)
    case circularVariable(String)
    case valueTooLong
    case unclosedVariable
    case malformedVariableName
    /// A variable begins with `$`, and Tern does not compute it, such as `{{$guid}}` in generated code.
    case dynamicVariable
    /// Warning: the file takes a value, which may be a secret, from the environment.
    case environmentVariable(String)
    case unknownDirective
    /// Warning: Tern does not know this directive, and ignores it.
    case ignoredDirective(String)
    case misplacedDirective
    case duplicateDirective(String)
    /// The name is empty or too long, begins with a digit, or contains other characters than ASCII letters, digits and `_`.
    case malformedName
    case duplicateName(String)
    /// `@access` is repeated, stands after the first `###`, or is not followed by `public` or `internal` alone.
    case malformedAccess
    /// A directive other than `@access` is not followed by a request line.
    case noRequest

    // Parameters and results.
    case malformedParameter
    case malformedType
    /// The result begins with the word `Events` or `Values`, in any letter case, but is not the description of a stream.
    case malformedStream
    /// After `@until`, neither `data` with a text nor `event` with types follows.
    case malformedUntil
    /// The result does not consist of events.
    case untilNeedsEvents
    case malformedReconnect
    /// The result is not `Events`.
    case reconnectNeedsEvents
    case duplicateParameter(String)
    case unusedParameter(String)
    /// A parameter has the name of a variable of the file.
    case parameterIsVariable(String)
    /// A name that generated code needs or Swift does not allow, or that a request shares with a variable.
    case reservedName(String)
    case malformedDefault
    /// The type is optional, but a value is necessary.
    case optionalNotPossible(String)
    /// The type, such as a list, is not possible in the place of the parameter.
    case typeNotPossible(String)
    /// No `@param` gives the type of a JSON value.
    case typeNeeded(String)
    /// A variable of the file stands in the place of a JSON value, without quotes.
    case quotesNeeded(String)

    // The request line.
    case unknownMethod
    /// Only requests that are sent may have such a method.
    case methodInLowerCase
    case missingURL
    /// Only requests that are sent may have such a URL.
    case missingScheme
    case missingSeparator
    /// The URL does not begin with a known scheme and `://`.
    case malformedScheme
    case malformedHost
    case malformedPort
    case userInURL
    /// A variable in the host or the port has no value in the file.
    case variableInHost(String)
    /// The value of the variable that begins the URL cannot be the address of a server.
    case malformedAddress(String)
    /// Something other than a slash or a question mark follows the variable that begins the URL.
    case malformedAddressEnd(String)
    /// A character of the path or the query must be percent-encoded.
    case malformedTarget
    case dotSegmentInPath
    case fragment
    /// The value of a variable in the path contains a slash, a question mark or a number sign.
    case valueWouldBeEncoded(String)
    /// An indented line does not continue the path or the query.
    case malformedContinuation
    /// Warning: a version of HTTP other than HTTP/1.1 has no effect.
    case otherVersion

    // Fields and body.
    case bodyWithoutEmptyLine
    case commentInBody
    case malformedField
    case blankBeforeColon
    case duplicateField
    case framingField
    /// A value of `Authorization`, such as `Basic name password`, that editors encode, but Tern does not encode here.
    case editorAuthorization
    case typeOfBodyNeeded
    /// The media type of the body does not allow variables.
    case variableNotPossible
    case variableInType
    case multipart
    case graphQL
    /// A body or part from a file is malformed, or is not possible there.
    case malformedFileBody
    /// There is a body in a `GET`, `HEAD` or `TRACE`, or in a request that opens a WebSocket.
    case bodyNotAllowed
    case malformedJSON
    case incompleteJSON
    case variableAsKey(String)
    case malformedForm
    /// A request that opens a WebSocket is not a `GET`, or its `@returns` is not `WebSocket`.
    case malformedWebSocket

    // Scripts.
    /// There is text after a line that begins with `>` or `<>`, which ends the body.
    case textBehindBody
    case requestScript
    /// Warning: a script for the response is ignored.
    case responseScript
    /// Warning: the name of a file to write the response to is ignored.
    case responseFile
}

/// An error or a warning about a request file.
package struct Diagnostic: Error, Hashable, Sendable {
    package let rule: RequestFileRule
    package let position: TextPosition

    /// Whether the rule is only for ``RequestFile/Purpose/generating``, and the reader went on.
    package let isForgiven: Bool

    /// Whether this is a warning, so that the file can still be used.
    package var isWarning: Bool { self.isForgiven || self.rule.isWarning }

    /// The problem and its solution, or the effect of a forgiven problem, as a sentence without a period.
    package var sentence: String { (self.isForgiven ? self.rule.consequence : nil) ?? self.rule.description }

    init(_ rule: RequestFileRule, at position: TextPosition, isForgiven: Bool = false) {
        self.rule = rule
        self.position = position
        self.isForgiven = isForgiven
    }
}

extension Diagnostic: CustomStringConvertible {
    package var description: String {
        "\(self.position): \(self.isWarning ? "warning" : "error"): \(self.sentence)"
    }
}

extension Diagnostic: LocalizedError {
    /// The sentence, or only the position if a long name would make it longer than 160 characters.
    package var errorDescription: String? {
        let place = "\(self.position.line), column \(self.position.column)"
        let sentence = "Line \(place): \(self.sentence)."
        return sentence.count <= 160 ? sentence : "The request file has an error on line \(place)."
    }
}

package struct TextPosition: Hashable, Sendable, Comparable {
    /// The line, from 1.
    package let line: Int
    /// The column, from 1, in bytes of UTF-8, as compilers count.
    package let column: Int

    init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    package static func < (left: TextPosition, right: TextPosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

extension TextPosition: CustomStringConvertible {
    package var description: String { "\(self.line):\(self.column)" }
}

/// The errors and warnings of a request file that cannot be used.
package struct RequestFileFailure: Error, Hashable, Sendable {
    package let diagnostics: [Diagnostic]
}

extension RequestFileFailure: CustomStringConvertible {
    package var description: String { self.diagnostics.map(\.description).joined(separator: "\n") }
}

extension RequestFileFailure: LocalizedError {
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
