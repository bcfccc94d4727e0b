// SPDX-License-Identifier: Apache-2.0

/// What the server says of a photo.
struct Photo: Codable, Equatable, Sendable {
    var id: Int
    var title: String
    /// How many people chose it as a favourite.
    var favourites: Int
    /// How long its file is.
    var byteCount: Int
}

/// One line of the live counts.
struct FavouriteCount: Codable, Equatable, Sendable {
    var photo: Int
    var favourites: Int
}
