// SPDX-License-Identifier: Apache-2.0

/// What a request file says: variables, and requests with variables in them.
package struct RequestFile: Hashable, Sendable {
    /// What the comments before the first request say of the file; a line each.
    package internal(set) var documentation: [String] = []
    /// Whether the generated API is public; not unless the file says so by `@access public`.
    package internal(set) var isPublic = false
    /// The variables of the file, in order; at the end those that have no value and stand for the address of a server.
    package internal(set) var variables: [FileVariable] = []
    /// The requests, in order.
    package internal(set) var requests: [RequestDefinition] = []
    /// What is odd, but does no harm.
    package internal(set) var warnings: [Diagnostic] = []

    /// An empty file.
    init() {}

    /// The variables that requests refer to, in order: what has to be known before any request can be made.
    package var usedVariables: [FileVariable] { self.variables.filter(\.isUsed) }

    /// Finds a request by its name.
    ///
    /// - Parameter name: the name, as given by `@name`.
    /// - Returns: the request; `nil` if none has that name.
    package func request(named name: String) -> RequestDefinition? { self.requests.first { $0.name == name } }
}

/// A variable of a file: `@name = value`.
package struct FileVariable: Hashable, Sendable {
    /// Its name.
    package let name: String
    /// Its value, with the variables in it replaced; `nil` for the address of a server that the file does not give.
    package let value: String?
    /// Whether a request refers to it, and not only another variable.
    package internal(set) var isUsed = false
    /// Where its name is first written.
    package let position: TextPosition
}

/// How much a request file may hold; each limit is far above what people write.
package enum RequestFileLimits: Sendable {
    /// How long a file may be, in bytes: 1 MiB.
    package static let maximumByteCount = 1 << 20
    /// How many requests it may have: 1000, each of which becomes a method.
    package static let maximumRequestCount = 1000
    /// How many variables a file may have: 200.
    package static let maximumVariableCount = 200
    /// How long the value of a variable may be, in bytes, when those in it are replaced: 8 KiB, as long as a URL gets.
    package static let maximumValueByteCount = 8 << 10
    /// How many parameters a request may have: 64.
    package static let maximumParameterCount = 64
    /// How many fields a request may have: 100.
    package static let maximumFieldCount = 100
    /// How long a name may be, in bytes: 64.
    package static let maximumNameByteCount = 64
    /// How long a type may be, in bytes: 128.
    package static let maximumTypeByteCount = 128
    /// How deep JSON may be: 64 levels, twice what is read elsewhere.
    package static let maximumJSONDepth = 64
    /// How many errors and warnings are told of one file: 50.
    package static let maximumDiagnosticCount = 50
}
