// SPDX-License-Identifier: Apache-2.0

/// The number of a session in its pool.
///
/// No two sessions ever have the same number.
struct SessionNumber: Hashable, Sendable {
    /// The index of the session's place in the pool.
    ///
    /// Another session may have the same place later.
    let index: Int
    /// A number that distinguishes the sessions of one place.
    let serial: Int
}
