// SPDX-License-Identifier: Apache-2.0

/// A container that makes a subscriber or a subscription `Sendable`.
///
/// The state machine lets only one thread at a time call the subscriber, and any thread may call a subscription's `request` and
/// `cancel`, as Combine and OpenCombine require.
struct Recipient<Content>: @unchecked Sendable {
    let content: Content

    init(_ content: Content) { self.content = content }
}
