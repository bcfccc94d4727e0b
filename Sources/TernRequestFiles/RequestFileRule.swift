// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
public import Foundation
#endif

/// A rule that a request file breaks.
///
/// Names that come with it are names of the file, of 64 bytes at most.
package enum RequestFileRule: Hashable, Sendable {
    // The file.
    /// The file is longer than 1 MiB.
    case fileTooLong
    /// The bytes are not UTF-8.
    case notUTF8
    /// A control character other than a tab or the end of a line.
    case controlCharacter
    /// A limit of ``RequestFileLimits`` is passed; the text says of what.
    case tooMany(String)

    // Variables and comments.
    /// A line that begins with `@` is not `@name = value`.
    case malformedVariable
    /// A variable of the file is given twice.
    case duplicateVariable(String)
    /// A variable of the file refers to one that is not given before it.
    case undefinedVariable(String)
    /// The value of a variable, with those in it replaced, is longer than 8 KiB.
    case valueTooLong
    /// `{{` without `}}`.
    case unclosedVariable
    /// What stands between `{{` and `}}` is no name.
    case malformedVariableName
    /// A variable that an editor makes up, such as `{{$guid}}`.
    case dynamicVariable
    /// A comment begins with `@` and a word that has no meaning.
    case unknownDirective
    /// A directive stands behind the line of its request.
    case misplacedDirective
    /// A directive is given twice.
    case duplicateDirective(String)
    /// The name of a request is no Swift name.
    case malformedName
    /// Two requests have one name.
    case duplicateName(String)
    /// `@access` is followed by something else than `public` or `internal`, or stands behind the first request.
    case malformedAccess
    /// A directive has no request to belong to.
    case noRequest

    // Parameters and results.
    /// `@param` is not followed by a name, or what follows cannot be read.
    case malformedParameter
    /// The type of a parameter or a result cannot be read.
    case malformedType
    /// A parameter is described twice.
    case duplicateParameter(String)
    /// A parameter is described, but does not occur in the request.
    case unusedParameter(String)
    /// A parameter has the name of a variable of the file.
    case parameterIsVariable(String)
    /// A parameter or a request has a name that the generated code needs.
    case reservedName(String)
    /// A default does not fit the type.
    case malformedDefault
    /// `nil` cannot stand where the parameter does.
    case optionalNotPossible(String)
    /// A list, say, cannot stand where the parameter does.
    case typeNotPossible(String)
    /// A parameter stands for a JSON value, and its type is not given.
    case typeNeeded(String)
    /// A variable of the file, which is text, stands for a JSON value.
    case quotesNeeded(String)

    // The request line.
    /// The method is none that can be sent.
    case unknownMethod
    /// There is no URL.
    case missingURL
    /// The URL does not begin with a scheme that is known, or with a variable.
    case malformedScheme
    /// The host is malformed.
    case malformedHost
    /// The port is none.
    case malformedPort
    /// A name or a password stands in the URL.
    case userInURL
    /// A variable that the file does not give stands in the scheme or the host.
    case variableInHost(String)
    /// The variable that begins the URL has a value that is no address.
    case malformedAddress(String)
    /// Something else than a slash or a question mark follows the variable that begins the URL.
    case malformedAddressEnd(String)
    /// A character that must be percent-encoded.
    case malformedTarget
    /// `.` or `..` as a component of the path.
    case stepInPath
    /// `#` in the URL.
    case fragment
    /// A variable of the file stands in the path, and its value holds a slash, a question mark or a number sign.
    case valueWouldBeEncoded(String)
    /// A line behind the URL is indented, but continues neither path nor query.
    case malformedContinuation
    /// Warning: a version of HTTP that is not sent.
    case otherVersion

    // Fields and body.
    /// A line is no field.
    case malformedField
    /// A field is given twice.
    case duplicateField
    /// A field that the client writes itself.
    case framingField
    /// `Authorization: Basic name password`, which editors encode.
    case editorAuthorization
    /// A body has variables, but no media type that says how they are escaped.
    case typeOfBodyNeeded
    /// A variable in a body of another media type.
    case variableNotPossible
    /// A variable in the media type of a body.
    case variableInType
    /// A multipart body.
    case multipart
    /// `<` without a path, or with more than a path.
    case malformedFileBody
    /// A body, where the method or a WebSocket has none.
    case bodyNotAllowed
    /// The JSON cannot be read from here on.
    case malformedJSON
    /// The JSON is not complete.
    case incompleteJSON
    /// A variable is the key of an object without quotes.
    case variableAsKey(String)
    /// A form cannot be read from here on.
    case malformedForm
    /// A WebSocket is asked for otherwise than by `GET`, or `@returns` says something else.
    case malformedWebSocket

    // Scripts.
    /// Text behind a line that begins with `>` or `<>`, which ends the body.
    case textBehindBody
    /// A script that runs before the request.
    case requestScript
    /// Warning: a script that runs after the response.
    case responseScript
    /// Warning: a file to write the response to.
    case responseFile
}

/// What is wrong in a request file, where, and what to do.
package struct Diagnostic: Error, Hashable, Sendable {
    /// What is wrong.
    package let rule: RequestFileRule
    /// Where.
    package let position: TextPosition

    /// Whether the file can be used all the same.
    package var isWarning: Bool { self.rule.isWarning }

    init(_ rule: RequestFileRule, at position: TextPosition) {
        self.rule = rule
        self.position = position
    }
}

extension Diagnostic: CustomStringConvertible {
    /// Line, column and sentence, as compilers write them: `3:5: error: …`.
    package var description: String {
        "\(self.position): \(self.isWarning ? "warning" : "error"): \(self.rule)"
    }
}

extension Diagnostic: LocalizedError {
    /// One English sentence that an app may show; its wording is not stable.
    ///
    /// Where a long name in the file would make it longer than 160 characters, it only says where; ``description`` says more.
    package var errorDescription: String? {
        let place = "line \(self.position.line), column \(self.position.column)"
        let sentence = "In \(place), \(self.rule)."
        return sentence.count <= 160 ? sentence : "The request file has an error in \(place)."
    }
}

/// A place in a file.
package struct TextPosition: Hashable, Sendable, Comparable {
    /// The line, from 1 on.
    package let line: Int
    /// The column, from 1 on, in bytes of UTF-8, as compilers count.
    package let column: Int

    init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Whether one place comes before another.
    package static func < (left: TextPosition, right: TextPosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

extension TextPosition: CustomStringConvertible {
    /// Line and column: `3:5`.
    package var description: String { "\(self.line):\(self.column)" }
}

/// Why a request file cannot be used.
package struct RequestFileFailure: Error, Hashable, Sendable {
    /// The errors and the warnings, in the order of the file; at most ``RequestFileLimits/maximumDiagnosticCount``.
    package let diagnostics: [Diagnostic]
}

extension RequestFileFailure: CustomStringConvertible {
    /// The diagnostics, a line each.
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
            ? "The request file has \(errorCount) errors, the first in line \(first.position.line)."
            : "The request file has an error in line \(first.position.line)."
    }
}
