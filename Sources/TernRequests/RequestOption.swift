// SPDX-License-Identifier: Apache-2.0

/// Identifies a request option, such as one that your app defines, and names the type of its value.
///
/// ```swift
/// enum Trace: RequestOption { typealias Value = String }
/// request.options[Trace.self] = "7f3a"
/// ```
public protocol RequestOption: SendableMetatype {
    /// The type of the option's value.
    associatedtype Value: Hashable & Sendable
}

/// An option that the command from ``Request/curl(includingBody:)`` can contain.
@usableFromInline
package protocol CurlOption: RequestOption {
    static func curlArguments(_ value: Value) -> [String]
}

extension CurlOption {
    static func curlArguments(of value: any Sendable) -> [String] {
        (value as? Value).map { Self.curlArguments($0) } ?? []
    }
}
