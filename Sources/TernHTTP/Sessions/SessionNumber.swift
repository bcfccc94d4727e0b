// SPDX-License-Identifier: Apache-2.0

/// The number of a session in its pool.
///
/// No two sessions ever have the same number.
struct SessionNumber: Hashable, Sendable {
    /// The index of its place, which another session may have later.
    let index: Int
    /// A number that distinguishes the sessions of one place.
    let serial: Int
}
