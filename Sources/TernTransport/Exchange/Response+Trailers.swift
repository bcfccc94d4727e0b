// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import Synchronization
package import TernFields

extension Response {
    /// Holds the trailer section, which arrives after the caller has received the response.
    package final class Trailers: Sendable {
        private let section = Mutex<FieldSection?>(nil)

        package init() {}

        package func receive(_ section: FieldSection?) { self.section.withLock { $0 = section } }

        fileprivate var fields: HTTPFields? { self.section.withLock { $0 }?.makeHTTPFields() }
    }

    /// The trailer fields, which a server may send after the body (RFC 9110 §6.5).
    ///
    /// They are known when the body has been read to its end: with `bytes`, read this property after the loop; methods such as
    /// `data` read the whole body before they return. `nil` if the server sent none, from the cache, and from a transport that
    /// reports none, as with `URLSession`.
    ///
    /// The client removes fields that are not allowed in a trailer section, such as `Content-Length` (§6.5.1). It does not merge
    /// the others into ``fields``, and does not store them in the cache.
    public var trailers: HTTPFields? { self.receivedTrailers?.fields }
}
