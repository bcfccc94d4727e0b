// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import TernCacheStores
import TernCaching
import TernErrors
import TernFoundation
import TernRequests
import TernTransport

/// Removes the stored responses that the response to a call makes invalid (RFC 9111 §4.4).
struct CacheInvalidation: Sendable {
    let store: any CacheStore

    func received(
        _ statusCode: Int,
        _ fields: @autoclosure () -> HTTPFields,
        to call: HTTPCall
    ) async throws(ClientError) {
        guard CacheDecision.invalidates(call.request.method, statusCode) else { return }
        let received = fields()
        try await self.forget(CacheKey(call), call)
        // A cache "MAY invalidate other URIs … in the Location and Content-Location", but only those of the same origin
        // (RFC 9111 §4.4).
        for name in [HTTPField.Name.location, .contentLocation] {
            guard let field = received[fields: name].first,
                let reference = try? URLReference(bytes: field.withUnsafeBytesOfValue { Array($0) }),
                let url = try? reference.url(relativeTo: call.request.url).absoluteURL,
                let place = try? Destination(url), place.origin == call.destination.origin
            else { continue }
            try await self.forget(CacheKey(url, unixSocketPath: call.request.options.unixSocketPath), call)
        }
    }

    private func forget(_ key: CacheKey, _ call: HTTPCall) async throws(ClientError) {
        try await call.asking(self.store, else: ()) { store throws(CacheStoreError) in try await store.remove(key) }
    }
}
