// SPDX-License-Identifier: Apache-2.0

/// A subscriber, or a subscription, that any thread may come to hold.
///
/// Neither protocol asks for `Sendable`. The invariant that makes this one sound: a subscriber is called by whoever its
/// machine gives the turn, so by one thread at a time, each after the other; a subscription's `request` and `cancel` may
/// be called from any thread, as both frameworks ask of it.
struct Recipient<Content>: @unchecked Sendable {
    let content: Content

    init(_ content: Content) { self.content = content }
}
