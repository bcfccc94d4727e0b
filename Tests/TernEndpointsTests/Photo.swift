// SPDX-License-Identifier: Apache-2.0

/// A value that `Photos.http` and `bodies.http` return and send.
public struct Photo: Codable, Equatable, Sendable {
    /// The number of the photo.
    public var id: Int
    /// The title of the photo.
    public var title: String
}
