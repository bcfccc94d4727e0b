// SPDX-License-Identifier: Apache-2.0

/// The service's data about a photo.
struct Photo: Codable, Sendable {
    var id: Int
    var title: String
    var tags: [String]
}
