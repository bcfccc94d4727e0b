// SPDX-License-Identifier: Apache-2.0

/// A subscriber, or a subscription, that any thread may come to retain.
///
/// Neither protocol requires `Sendable`. The invariant that makes this sound: the machine gives the turn to one thread
/// at a time, and only that thread calls the subscriber. A subscription's `request` and `cancel` may be called from any
/// thread, as both frameworks demand.
struct Recipient<Content>: @unchecked Sendable {
    let content: Content

    init(_ content: Content) { self.content = content }
}
