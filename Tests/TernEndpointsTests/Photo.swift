// SPDX-License-Identifier: Apache-2.0

/// What `Photos.http` and `bodies.http` return and send.
public struct Photo: Codable, Equatable, Sendable {
    /// Its number.
    public var id: Int
    /// What people call it.
    public var title: String
}
