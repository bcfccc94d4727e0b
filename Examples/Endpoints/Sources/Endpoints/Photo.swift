// SPDX-License-Identifier: Apache-2.0

/// The service's data about a photo.
struct Photo: Codable, Sendable {
    var id: Int
    var title: String
    var tags: [String]
}

/// The number of people who look at a photo.
struct Viewers: Codable, Sendable {
    var photo: Int
    var viewers: Int
}
