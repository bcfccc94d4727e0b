// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Tern

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where cookies are kept, as it is typed.
struct CookieOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "Send the cookies that this file has, and keep in it what servers set, also for the session; it is made if "
                + "there is none.",
            valueName: "file"
        )
    )
    var cookieJar: String?

    /// Reads the file; `nil` if none was named.
    ///
    /// - Parameter warns: whether to say on standard error that lines were left out.
    /// - Returns: a store, which is to be flushed when the call is over.
    /// - Throws: `CommandFailure` if the file cannot be used.
    func store(warns: Bool) async throws(CommandFailure) -> FileCookieStore? {
        guard let cookieJar else { return nil }
        do throws(CookieFileFailure) {
            let store = try await FileCookieStore(file: URL(filePath: cookieJar), keepsSession: true)
            if warns, store.damagedLineCount > 0 {
                System.tell("tern-cli: \(store.damagedLineCount) damaged lines of \(cookieJar) were left out\n")
            }
            return store
        } catch {
            throw CommandFailure(outcome: .usage, message: "\(cookieJar) cannot be used: \(error)")
        }
    }
}
