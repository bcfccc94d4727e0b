// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TernPublishers

/// A photo that can be shown; a real one would be decoded here.
struct Photo: Hashable, Sendable {
    var byteCount: Int

    /// What is shown where there is no photo.
    static let fallback = Photo(byteCount: 0)

    init(byteCount: Int) { self.byteCount = byteCount }

    /// Reads a photo from a file.
    init(contentsOf url: URL) throws { self.byteCount = try Data(contentsOf: url).count }
}

/// A cell of a list, which shows one photo after another.
///
/// On a screen all of this would be on the main actor, with `.receive(on: DispatchQueue.main)` before the sink. Here there
/// is no main loop to receive on, so a lock takes its place.
final class PhotoCell: Sendable {
    private struct State {
        var photo: Photo?
        /// The download of what is to be shown; another one in its place cancels it.
        var download: Download?
    }

    /// What a sink gives; it may be cancelled from any thread.
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

    /// What is shown; `nil` while nothing is here yet.
    var photo: Photo? { self.state.withLock { $0.photo } }

    /// Shows another photo, once it is here.
    func show(_ request: Request) {
        let name = request.url.path
        self.replace(with: nil)
        let download = self.client.downloadPublisher(for: request.validate(.success))
            .tryMap { download in
                // The file is ours now.
                defer { try? FileManager.default.removeItem(at: download.url) }
                return (try Photo(contentsOf: download.url), download.response.cacheStatus)
            }
            .replaceError(with: (Photo.fallback, .network))
            .sink { [weak self, number] photo, status in
                let origin: String =
                    switch status {
                    case _ where photo == .fallback: "not there, the fallback"
                    case .cached: "\(photo.byteCount) bytes from the cache"
                    default: "\(photo.byteCount) bytes from the server"
                    }
                print("  cell \(number): \(name), \(origin)")
                self?.state.withLock { $0.photo = photo }
            }
        self.replace(with: Download(cancellable: download))
    }

    private func replace(with download: Download?) {
        // Released where the lock is not held: that cancels.
        let old = self.state.withLock { state in
            defer { state.download = download }
            if download == nil { state.photo = nil }
            return state.download
        }
        old?.cancellable.cancel()
    }
}
