// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import Synchronization
package import TernFields

extension Response {
    /// Holds the trailer section of a response, which arrives after the response was delivered to its caller.
    package final class Trailers: Sendable {
        private let section = Mutex<FieldSection?>(nil)

        package init() {}

        /// Records the fields with which the body has ended.
        package func receive(_ section: FieldSection?) { self.section.withLock { $0 = section } }

        fileprivate var fields: HTTPFields? { self.section.withLock { $0 }?.makeHTTPFields() }
    }

    /// The fields after the body, once the body has been read to its end (RFC 9110 §6.5).
    ///
    /// `nil` before that, and if the server sent none. After `data`, `string`, `value` and `download` the body has been
    /// read; with `bytes`, read this property after the loop:
    ///
    /// ```swift
    /// let (bytes, response) = try await client.bytes(from: url)
    /// for try await row in bytes.lines { print(row) }
    /// print(response.trailers?["Row-Count"] ?? "the server did not count them")
    /// ```
    ///
    /// Fields that are not allowed in a trailer section, such as `Content-Length`, are removed (§6.5.1). Trailers are
    /// not merged into ``fields``, and the cache does not store them.
    public var trailers: HTTPFields? { self.receivedTrailers?.fields }
}
