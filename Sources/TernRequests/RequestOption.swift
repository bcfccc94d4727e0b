// SPDX-License-Identifier: Apache-2.0

/// The name of a request option that a higher module defines, and the type of its value.
///
/// ```swift
/// enum Trace: RequestOption { typealias Value = String }
/// request.options[Trace.self] = "7f3a"
/// ```
public protocol RequestOption: SendableMetatype {
    /// The type of the option's value.
    associatedtype Value: Hashable & Sendable
}

/// An option that ``Request/curl(includingBody:)`` can express.
@usableFromInline
package protocol CurlOption: RequestOption {
    /// Returns the curl arguments for a value.
    ///
    /// - Parameter value: The option's value.
    /// - Returns: Arguments of the command, unquoted and without secrets.
    static func curlArguments(_ value: Value) -> [String]
}

extension CurlOption {
    static func curlArguments(of value: any Sendable) -> [String] {
        (value as? Value).map { Self.curlArguments($0) } ?? []
    }
}
