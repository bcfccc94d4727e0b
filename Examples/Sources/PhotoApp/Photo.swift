// SPDX-License-Identifier: Apache-2.0

/// The server's data about a photo.
struct Photo: Codable, Equatable, Sendable {
    var id: Int
    var title: String
    /// The number of people who marked the photo as a favourite.
    var favourites: Int
    var byteCount: Int
}

/// One line of the live counts: a photo, and how many people have marked it.
struct FavouriteCount: Codable, Equatable, Sendable {
    var photo: Int
    var favourites: Int
}
