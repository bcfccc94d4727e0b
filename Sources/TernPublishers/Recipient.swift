// SPDX-License-Identifier: Apache-2.0

/// A subscriber or a subscription in a container that any thread may retain.
///
/// The protocols of subscribers and subscriptions do not require `Sendable`. The container is safe because the state
/// machine lets one thread at a time call the subscriber. Any thread may call a subscription's `request` and `cancel`,
/// as Combine and OpenCombine require.
struct Recipient<Content>: @unchecked Sendable {
    let content: Content

    init(_ content: Content) { self.content = content }
}
