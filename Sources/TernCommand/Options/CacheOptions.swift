// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern
import TernCacheStores
import TernFoundation

struct CacheOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "Store responses in this folder, 256 MiB at most, and reuse them as RFC 9111 allows. The folder is created "
                + "if missing.",
            valueName: "folder"
        )
    )
    var cache: String?

    func validate() throws {
        if self.cache?.isEmpty == true { throw ValidationError("--cache needs the path of a folder.") }
    }

    var store: DiskCacheStore? { self.cache.map { DiskCacheStore(directory: URL(fileURLWithPath: $0)) } }

    /// Creates the folder, and checks that it is safe: otherwise, the user would not learn that nothing can be stored.
    func prepareFolder() async throws(CommandFailure) {
        guard let cache, let store = self.store else { return }
        do throws(CacheStoreError) {
            try await store.prepareFolder()
        } catch {
            let reason =
                switch error {
                case .file(.notPermitted): "you must own it, and you alone must have permission to write to it"
                case .file(.folderNotFound): "it is not a folder, or cannot be created; links are not accepted"
                case .file(let failure): "\(failure)"
                default: "\(error)"
                }
            throw CommandFailure(outcome: .usage, message: "\(cache) cannot be used: \(reason)")
        }
    }

    /// Returns a line about the origin of a response; `nil` without a cache.
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
