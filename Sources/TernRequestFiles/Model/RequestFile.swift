// SPDX-License-Identifier: Apache-2.0

/// The content of a request file: variables, and requests that use them.
package struct RequestFile: Hashable, Sendable {
    /// The comments before the first `###`, unless a request is there, too; one string for each line.
    package internal(set) var documentation: [String] = []
    /// Whether the generated API is public; `@access public` in the file sets it.
    package internal(set) var isPublic = false
    /// The variables of the file in their order, and then those that it does not define but uses as the address of a server.
    package internal(set) var variables: [FileVariable] = []
    package internal(set) var requests: [RequestDefinition] = []
    /// The requests that cannot be sent; empty for ``Purpose/generating``, which accepts no errors.
    package internal(set) var failedRequests: [FailedRequest] = []
    /// The errors outside of requests, such as a malformed variable; empty for ``Purpose/generating``.
    package internal(set) var errors: [Diagnostic] = []
    /// The warnings, for example about parts that have no effect, or that only ``Purpose/sending`` accepts.
    package internal(set) var warnings: [Diagnostic] = []

    init() {}

    /// The variables that become properties of the generated type, because requests use them.
    package var usedVariables: [FileVariable] { self.variables.filter(\.isUsed) }

    /// Returns the first request with this `@name`.
    package func request(named name: String) -> RequestDefinition? { self.requests.first { $0.name == name } }
}

extension RequestFile {
    /// The use of a file, which decides what an error costs.
    package enum Purpose: Hashable, Sendable {
        /// An error in the file is an error of the whole file.
        case generating
        /// An error in a request does not fail the file, and many forms of other editors are accepted.
        case sending
    }
}

/// A variable of a file: `@name = value`.
package struct FileVariable: Hashable, Sendable {
    package let name: String
    /// The value, with variables replaced; `nil` if the file does not determine it, such as an address that the caller passes.
    package internal(set) var value: String?
    /// The value as written; `nil` if the file does not define the variable.
    package let template: Template?
    /// Whether a request uses the variable; a use by another variable does not count.
    package internal(set) var isUsed = false
    package let position: TextPosition
}

/// Limits for request files, far above what people write.
package enum RequestFileLimits: Sendable {
    /// The maximum length of a request file, in bytes.
    ///
    /// Beyond it, the reader reports `fileTooLong`.
    package static let maximumByteCount = 1 << 20
    /// The maximum number of requests in a file.
    ///
    /// Beyond it, the reader reports `tooMany`.
    package static let maximumRequestCount = 1000
    /// The maximum number of variables in a file.
    package static let maximumVariableCount = 200
    /// The maximum length of a value after replacements, in bytes: the length of a long URL.
    ///
    /// Beyond it, the reader reports `valueTooLong`.
    package static let maximumValueByteCount = 8 << 10
    /// The maximum number of parameters of a request.
    package static let maximumParameterCount = 64
    /// The maximum number of fields of a request.
    ///
    /// Beyond it, the reader reports `tooMany`.
    package static let maximumFieldCount = 100
    /// The maximum number of parts of a form.
    package static let maximumPartCount = 100
    /// The maximum length of a name, in bytes.
    ///
    /// Beyond it, the file is malformed there.
    package static let maximumNameByteCount = 64
    /// The maximum length of a type, in bytes.
    package static let maximumTypeByteCount = 128
    /// The maximum depth of JSON.
    package static let maximumJSONDepth = 64
    package static let maximumDiagnosticCount = 50
}
