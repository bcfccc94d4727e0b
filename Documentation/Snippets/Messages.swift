// SPDX-License-Identifier: Apache-2.0
// The code in the article "Telling people what failed". scripts/check snippets fails
// if the two copies differ.
import Foundation
import Tern

struct Album: Decodable { var title: String }
struct AlbumServiceError: Decodable { var message: String }

func showing(_ client: Client, url: URL, show: (String) -> Void, log: (String) -> Void) async {
    // snippet.messages-show
    do throws(ClientError) {
        let album = try await client.value(from: url, as: Album.self)
        show(album.title)
    } catch {
        if error.isCancellation { return }  // the person has moved on
        show(error.isOffline ? "You seem to be offline." : error.localizedDescription)
        log("\(error)")
    }
    // snippet.end
}

// snippet.messages-own
/// The app's own sentence for the errors that have one; a localized app looks it up
/// in its string catalog.
func text(for error: ClientError) -> String {
    switch error {
    case _ where error.isOffline: "You seem to be offline."
    case _ where error.isTimeout: "The server takes too long. Try again later."
    case .validationFailed where error.status == .unauthorized: "Sign in again."
    case .validationFailed where error.status == .notFound: "This album is gone."
    case .fileFailed(.diskFull, _): "There is no room left on this device."
    default: error.localizedDescription
    }
}
// snippet.end

func service(_ error: ClientError) -> String {
    // snippet.messages-service
    let text =
        error.problemDetails?.title  // application/problem+json
        ?? error.decoded(as: AlbumServiceError.self)?.message  // the service's own form
        ?? error.localizedDescription
    // snippet.end
    return text
}

func tasks(_ client: Client, urls: [URL], show: @escaping @Sendable (String) -> Void) async {
    // snippet.messages-group
    do {
        let bodies = try await withThrowingTaskGroup(of: Data.self) { group in
            for url in urls { group.addTask { try await client.data(from: url).0 } }
            return try await group.reduce(into: [Data]()) { $0.append($1) }
        }
        show("\(bodies.count) albums")
    } catch {
        if ClientError.isCancellation(error) { return }  // in either of its two forms
        show(error.localizedDescription)
    }
    // snippet.end
}
