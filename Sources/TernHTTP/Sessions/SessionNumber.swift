// SPDX-License-Identifier: Apache-2.0

/// The number of a session in its pool, which no other session ever has.
struct SessionNumber: Hashable, Sendable {
    /// The index of the session's place in the pool, which another session may have later.
    let index: Int
    let serial: Int
}
