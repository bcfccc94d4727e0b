// SPDX-License-Identifier: Apache-2.0

/// Held by a request whose answer may be stored.
final class CacheClaim: Sendable {
    private let session: CacheSession
    private let id: OpenWriters.ID

    init(_ session: CacheSession, _ id: OpenWriters.ID) {
        self.session = session
        self.id = id
    }

    deinit { self.session.end(self.id) }

    /// Whether the answer may be stored still.
    var isOpen: Bool { self.session.isOpen(self.id) }
}
