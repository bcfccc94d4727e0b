// SPDX-License-Identifier: Apache-2.0
import TernErrors
import Testing

/// A value of a public type, and the error in which an app meets it.
struct ErrorSample: CustomTestStringConvertible, Sendable {
    /// The type with its module: `TernErrors.TLSFailure`.
    var type: String
    /// The name of the case; `nil` for a structure.
    var caseName: String?
    /// The error.
    var error: any Error

    /// A sample that is an error itself.
    init(_ error: some Error) {
        (self.type, self.caseName, self.error) = (String(reflecting: Swift.type(of: error)), Self.name(error), error)
    }

    /// A sample that is the reason of another error.
    init(_ reason: some Any, in error: ClientError) {
        (self.type, self.caseName, self.error) = (String(reflecting: Swift.type(of: reason)), Self.name(reason), error)
    }

    var testDescription: String { "\(self.type).\(self.caseName ?? "init")" }

    private static func name(_ value: some Any) -> String? {
        runtimeCaseName(value).map { String(cString: $0) }
    }
}

/// The name of a case, as the standard library itself finds it: a mirror has none for a case without values.
@_silgen_name("swift_EnumCaseName")
private func runtimeCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
