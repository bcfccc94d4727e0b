// SPDX-License-Identifier: Apache-2.0

/// The number of a session in its pool.
///
/// No two sessions ever have the same number.
struct SessionNumber: Hashable, Sendable {
    /// Its place, which another session may have later.
    let index: Int
    /// What tells the sessions of one place apart.
    let serial: Int
}
