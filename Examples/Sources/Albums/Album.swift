// SPDX-License-Identifier: Apache-2.0

/// An album, as the service sends it and as a view shows it.
struct Album: Codable, Equatable, Identifiable {
    var id: Int
    var title: String
}
