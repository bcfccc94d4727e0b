// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TernPublishers

/// A photo that can be shown; a real app would decode the image here.
struct Photo: Hashable, Sendable {
    var byteCount: Int

    static let fallback = Photo(byteCount: 0)

    init(byteCount: Int) { self.byteCount = byteCount }

    init(contentsOf url: URL) throws { self.byteCount = try Data(contentsOf: url).count }
}

/// A cell of a list, which shows one photo after another.
///
/// In an app with a screen, the cell would belong to the main actor, and `.receive(on: DispatchQueue.main)` would stand just before
/// the sink, after the step that takes the file. This program has no main loop, so a lock protects the state instead.
final class PhotoCell: Sendable {
    private struct State {
        var photo: Photo?
        /// The number of photos requested so far, by which the cell ignores a sink that an older download still calls.
        var generation = 0
        var download: Download?
    }

    /// The subscription of a download, which any thread may cancel.
    private struct Download: @unchecked Sendable {
        let cancellable: AnyCancellable
    }

    private let number: Int
    private let client: Client
    private let state = Mutex(State())

    init(number: Int, client: Client) {
        self.number = number
        self.client = client
    }

    /// The photo that the cell shows; `nil` until it has arrived.
    var photo: Photo? { self.state.withLock { $0.photo } }

    /// Requests another photo, and shows it when it has arrived.
    func show(_ request: Request) {
        let name = request.url.path
        let generation = self.begin()
        let cancellable = self.client.downloadPublisher(for: request.validate(.success))
            .tryMap { @Sendable download in
                // The file belongs to this closure, so delete it afterwards. The closure is `@Sendable`, because it
                // runs on any thread.
                defer { try? FileManager.default.removeItem(at: download.url) }
                return (try Photo(contentsOf: download.url), download.response.cacheStatus)
            }
            .replaceError(with: (Photo.fallback, .network))
            .sink { [weak self, number] photo, status in
                guard self?.set(photo, generation) == true else { return }
                let origin: String =
                    switch status {
                    case _ where photo == .fallback: "not there, the fallback"
                    case .cached: "\(photo.byteCount) bytes from the cache"
                    default: "\(photo.byteCount) bytes from the server"
                    }
                print("  cell \(number): \(name), \(origin)")
            }
        self.keep(Download(cancellable: cancellable), generation)
    }

    /// Removes the previous photo and cancels its download.
    private func begin() -> Int {
        let (generation, old) = self.state.withLock { state in
            state.photo = nil
            state.generation += 1
            return (state.generation, state.download.take())
        }
        // Cancel without holding the lock, because cancelling may run any code.
        old?.cancellable.cancel()
        return generation
    }

    /// Shows a photo, and returns `true`, unless the cell has requested another photo meanwhile.
    private func set(_ photo: Photo, _ generation: Int) -> Bool {
        self.state.withLock { state in
            guard state.generation == generation else { return false }
            state.photo = photo
            return true
        }
    }

    private func keep(_ download: Download, _ generation: Int) {
        let isLate = self.state.withLock { state in
            guard state.generation == generation else { return true }
            state.download = download
            return false
        }
        if isLate { download.cancellable.cancel() }
    }
}
