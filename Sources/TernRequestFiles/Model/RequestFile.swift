// SPDX-License-Identifier: Apache-2.0

/// The content of a request file: variables, and requests that use them.
package struct RequestFile: Hashable, Sendable {
    /// The comments about the file, before the first request; one string for each line.
    package internal(set) var documentation: [String] = []
    /// Whether the generated API is public.
    ///
    /// Defaults to `false`; `@access public` in the file sets it.
    package internal(set) var isPublic = false
    /// The variables that the file defines, in the order of their definitions, and then those that it does not define
    /// but uses as the address of a server.
    package internal(set) var variables: [FileVariable] = []
    /// The requests, in the order of the file.
    package internal(set) var requests: [RequestDefinition] = []
    /// The requests that cannot be sent, in the order of the file.
    ///
    /// Empty if the file was read for ``Purpose/generating``, which accepts no errors.
    package internal(set) var failedRequests: [FailedRequest] = []
    /// The errors outside of requests, such as a malformed variable, in the order of the file.
    ///
    /// Empty if the file was read for ``Purpose/generating``.
    package internal(set) var errors: [Diagnostic] = []
    /// The warnings, in the order of the file.
    ///
    /// They are about parts that have no effect, and about parts that only ``Purpose/sending`` accepts.
    package internal(set) var warnings: [Diagnostic] = []

    /// Creates an empty file.
    init() {}

    /// The variables that requests use, in the order of ``variables``.
    ///
    /// They become properties of the generated type.
    package var usedVariables: [FileVariable] { self.variables.filter(\.isUsed) }

    /// Returns the request with a name.
    ///
    /// - Parameter name: The name in `@name`.
    /// - Returns: The request; `nil` if no request has this name.
    package func request(named name: String) -> RequestDefinition? { self.requests.first { $0.name == name } }
}

extension RequestFile {
    /// The use of a file, which decides what an error costs.
    package enum Purpose: Hashable, Sendable {
        /// Swift code is generated from the file. An error in the file is an error of the whole file, because the code
        /// would lack a method.
        case generating
        /// The requests of the file are sent. An error costs only its request, and a form that other editors accept is
        /// accepted with a warning, if its meaning is clear.
        ///
        /// A request without errors is read exactly as for ``generating``.
        case sending
    }
}

/// A variable of a file: `@name = value`.
package struct FileVariable: Hashable, Sendable {
    /// The name of the variable.
    package let name: String
    /// The value, in which other variables are replaced by their values.
    ///
    /// It is `nil` if the file does not define the variable; the variable then stands for the address of a server. It
    /// is also `nil` if the value contains a variable that the file does not define, which only ``RequestFile`` for
    /// sending accepts; see ``template``.
    package internal(set) var value: String?
    /// The value as written, in which other variables are not replaced; `nil` if the file does not define the variable.
    package let template: Template?
    /// Whether a request uses the variable.
    ///
    /// A use by another variable does not count.
    package internal(set) var isUsed = false
    /// The position of the variable's first occurrence.
    package let position: TextPosition
}

/// Limits for request files.
///
/// Each limit is far above what people write.
package enum RequestFileLimits: Sendable {
    /// The maximum length of a file, in bytes: 1 MiB.
    package static let maximumByteCount = 1 << 20
    /// The maximum number of requests: 1000.
    ///
    /// Each request with a name becomes a method.
    package static let maximumRequestCount = 1000
    /// The maximum number of variables: 200.
    package static let maximumVariableCount = 200
    /// The maximum length of a variable's value after replacements, in bytes: 8 KiB, the length of a long URL.
    package static let maximumValueByteCount = 8 << 10
    /// The maximum number of parameters of a request: 64.
    package static let maximumParameterCount = 64
    /// The maximum number of fields of a request: 100.
    package static let maximumFieldCount = 100
    /// The maximum number of parts of a body: 100.
    package static let maximumPartCount = 100
    /// The maximum length of a name, in bytes: 64.
    package static let maximumNameByteCount = 64
    /// The maximum length of a type, in bytes: 128.
    package static let maximumTypeByteCount = 128
    /// The maximum depth of JSON: 64 levels, twice the limit of `JSONValue` for received JSON.
    package static let maximumJSONDepth = 64
    /// The maximum number of errors and warnings that are reported for one file: 50.
    package static let maximumDiagnosticCount = 50
}
