// SPDX-License-Identifier: Apache-2.0

/// Names an option of a request that a module above this one knows, and the type of its value.
///
/// ```swift
/// enum Trace: RequestOption { typealias Value = String }
/// request.options[Trace.self] = "7f3a"
/// ```
public protocol RequestOption: SendableMetatype {
    /// What the option holds.
    associatedtype Value: Hashable & Sendable
}

/// An option that ``Request/curl(includingBody:)`` knows how to say.
@usableFromInline
package protocol CurlOption: RequestOption {
    /// What curl is told.
    ///
    /// - Parameter value: the option's value.
    /// - Returns: words of the command, not quoted; without secrets.
    static func curlWords(_ value: Value) -> [String]
}

extension CurlOption {
    static func curlWords(of value: any Sendable) -> [String] {
        (value as? Value).map { Self.curlWords($0) } ?? []
    }
}
