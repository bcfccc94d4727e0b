// SPDX-License-Identifier: Apache-2.0

/// The server's data about a photo.
struct Photo: Codable, Equatable, Sendable {
    var id: Int
    var title: String
    /// The number of people who chose it as a favourite.
    var favourites: Int
    /// The length of its file.
    var byteCount: Int
}

/// One line of the live counts.
struct FavouriteCount: Codable, Equatable, Sendable {
    var photo: Int
    var favourites: Int
}
