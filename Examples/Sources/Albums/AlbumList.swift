// SPDX-License-Identifier: Apache-2.0
import Foundation
import Observation
import Tern

/// The model of a view: albums, or a message that says why they are missing.
@Observable
final class AlbumList {
    private(set) var albums: [Album] = []
    private(set) var message: String?
    private(set) var isLoading = false
    private let api: AlbumAPI

    init(_ api: AlbumAPI) { self.api = api }

    /// Loads the albums; a view calls this method in `task` and in `refreshable`.
    func load() async {
        self.isLoading = true
        defer { self.isLoading = false }
        do {
            self.albums = try await self.api.albums()
            self.message = nil
        } catch let error where error.isCancellation {
            // The view is gone, so there is no place to show an error.
        } catch {
            self.message = error.localizedDescription
        }
    }
}
