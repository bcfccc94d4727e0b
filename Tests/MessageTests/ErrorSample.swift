// SPDX-License-Identifier: Apache-2.0
import TernErrors
import Testing

/// An error that an app may receive, and the public type that the sample is for.
struct ErrorSample: CustomTestStringConvertible, Sendable {
    /// The type with its module: `TernErrors.TLSFailure`.
    var type: String
    /// The name of the case; `nil` for a structure.
    var caseName: String?
    /// The error that an app receives.
    var error: any Error

    /// Creates a sample of an error type.
    init(_ error: some Error) {
        (self.type, self.caseName, self.error) = (String(reflecting: Swift.type(of: error)), Self.name(error), error)
    }

    /// Creates a sample of a type that is the reason in another error.
    init(_ reason: some Any, in error: ClientError) {
        (self.type, self.caseName, self.error) = (String(reflecting: Swift.type(of: reason)), Self.name(reason), error)
    }

    var testDescription: String { "\(self.type).\(self.caseName ?? "init")" }

    private static func name(_ value: some Any) -> String? {
        runtimeCaseName(value).map { String(cString: $0) }
    }
}

/// Returns the name of a case, like the standard library does internally.
///
/// A mirror has no name for a case without values.
@_silgen_name("swift_EnumCaseName")
private func runtimeCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
