// SPDX-License-Identifier: Apache-2.0

/// Held by the request that others wait for; released, it lets them go on.
final class CacheTicket: Sendable {
    private let session: CacheSession
    private let joint: CacheSession.Joint

    init(_ session: CacheSession, _ joint: CacheSession.Joint) {
        self.session = session
        self.joint = joint
    }

    deinit { self.session.leave(self.joint) }
}
