// SPDX-License-Identifier: Apache-2.0

/// What the service knows of a photo.
struct Photo: Codable, Sendable {
    var id: Int
    var title: String
    var tags: [String]
}
