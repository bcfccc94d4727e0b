// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernCacheStores

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where responses are kept, as it is typed.
struct CacheOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "Keep responses in this folder, and use them again as RFC 9111 allows; made if it is missing, 256 MiB at most.",
            valueName: "folder"
        )
    )
    var cache: String?

    func validate() throws {
        if self.cache?.isEmpty == true { throw ValidationError("--cache takes the path of a folder.") }
    }

    /// The folder's store; `nil` if nothing is to be kept.
    var store: DiskCacheStore? { self.cache.map { DiskCacheStore(directory: URL(fileURLWithPath: $0)) } }

    /// Makes the folder, if one was typed, and looks whether it is safe: a cache that can keep nothing is silent about it.
    ///
    /// - Throws: `CommandFailure` if it cannot be used.
    func prepareFolder() async throws(CommandFailure) {
        guard let cache, let store = self.store else { return }
        do throws(CacheStoreError) {
            try await store.prepareFolder()
        } catch {
            let reason =
                switch error {
                case .file(.notPermitted): "it must be your own, and others must not be able to write to it"
                case .file(.folderNotFound): "it is no folder and cannot be made; a link is none"
                case .file(let failure): "\(failure)"
                default: "\(error)"
                }
            throw CommandFailure(outcome: .usage, message: "\(cache) cannot be used: \(reason)")
        }
    }

    /// A line on where a response came from; `nil` without a cache.
    func line(on response: Response) -> String? {
        guard self.cache != nil else { return nil }
        switch response.cacheStatus {
        case .network: return "* from the server\n"
        case .cached(let age): return "* from the cache, \(age.components.seconds) s old\n"
        case .stale(let age): return "* from the cache, \(age.components.seconds) s old, no longer fresh\n"
        case .revalidated: return "* from the cache, confirmed by the server\n"
        @unknown default: return nil
        }
    }
}
