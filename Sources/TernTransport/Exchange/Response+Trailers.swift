// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import Synchronization
package import TernFields

extension Response {
    /// Holds the trailer section of a response.
    ///
    /// The section arrives after the caller has received the response.
    package final class Trailers: Sendable {
        private let section = Mutex<FieldSection?>(nil)

        package init() {}

        /// Records the trailer section at the end of the body; `nil` if the server sent none.
        package func receive(_ section: FieldSection?) { self.section.withLock { $0 = section } }

        fileprivate var fields: HTTPFields? { self.section.withLock { $0 }?.makeHTTPFields() }
    }

    /// The trailer fields, which a server may send after the body (RFC 9110 §6.5).
    ///
    /// `nil` until the body has been read to its end, and if the server sent no trailer fields. The methods `data`,
    /// `string`, `value` and `download` read the whole body before they return. With `bytes`, read this property after
    /// the loop:
    ///
    /// ```swift
    /// let (bytes, response) = try await client.bytes(from: url)
    /// for try await row in bytes.lines { print(row) }
    /// print(response.trailers?["Row-Count"] ?? "the server did not count them")
    /// ```
    ///
    /// The client removes fields that are not allowed in a trailer section, such as `Content-Length` (§6.5.1). It does
    /// not merge trailer fields into ``fields``, and the cache does not store them.
    public var trailers: HTTPFields? { self.receivedTrailers?.fields }
}
