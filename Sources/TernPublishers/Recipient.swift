// SPDX-License-Identifier: Apache-2.0

/// A container that makes a subscriber or a subscription `Sendable`.
///
/// The protocols of subscribers and subscriptions do not require `Sendable`. The container is safe because the state
/// machine lets only one thread at a time call the subscriber, and because any thread may call a subscription's
/// `request` and `cancel`, as Combine and OpenCombine require.
struct Recipient<Content>: @unchecked Sendable {
    let content: Content

    init(_ content: Content) { self.content = content }
}
