// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
public import TernCookies
import TernErrors
import TernFiles
public import TernFoundation
public import TernValues

/// Keeps cookies in a file, so that they survive the end of the program.
///
/// ```swift
/// configuration.cookieStore = try await FileCookieStore(file: url)
/// ```
///
/// Only the owner of a file that the store wrote can read it (mode 0600). Each write replaces the whole file: after a crash or a
/// power failure, the file has either the old or the new content. A new store refuses a file that another user, except root, owns
/// or can write, and a link that such a user made; a link that you made stays in place.
///
/// The store writes the file shortly after a change, and combines several changes in one write; ``flush()`` writes it at once.
/// Use a file with one store at a time: if two stores write the same file, the last write wins.
public final class FileCookieStore: CookieStore, JarStore {
    private struct State {
        var jar: CookieJar
        var written: Int
        var isScheduled = false
    }

    /// The time between a change and the write, so that one write includes the changes that follow soon.
    private static let delay = DispatchTimeInterval.milliseconds(200)

    /// The number of damaged lines that the store skipped when it read the file.
    package let damagedLineCount: Int

    private let place: FilePath
    private let keepsSession: Bool
    private let state: Mutex<State>
    private let queue: DispatchQueue

    /// Creates a store from a cookie file; if the file does not exist, the store is empty.
    ///
    /// If the file is truncated or damaged, the store reads the intact cookies and skips the others. Cancelling the task has no
    /// effect.
    ///
    /// - Parameters:
    ///   - file: A file URL. The folder must exist.
    ///   - keepsSession: Whether the file keeps cookies without an expiry date, which are meant for one run of the program. With
    ///     `false`, the store skips those in the file, and the next write removes them.
    ///   - limits: The limits on the number and length of cookies.
    /// - Throws: ``CookieFileError`` when the file cannot be read, is too long, or is not a cookie file.
    public init(
        file: URL,
        keepsSession: Bool = false,
        limits: CookieLimits = CookieLimits()
    ) async throws(CookieFileError) {
        guard file.isFileURL else { throw .file(.notAFileURL) }
        let queue = DispatchQueue(label: "tern.cookie-store")
        let path = file.path
        let (place, content) = try await queue.perform { Self.load(path, limits) }.get()
        self.place = place
        self.keepsSession = keepsSession
        self.queue = queue
        self.damagedLineCount = content.damagedLineCount
        var state = State(jar: content.jar, written: content.jar.revision)
        // Session cookies in the file are from an earlier run of a program, so their session has ended.
        if !keepsSession { state.jar.endSession() }
        self.state = Mutex(state)
    }

    private static func load(
        _ path: String,
        _ limits: CookieLimits
    ) -> Result<(FilePath, CookieFile.Content), CookieFileError> {
        Result { () throws(CookieFileError) in
            let place = try Self.place(path)
            WholeFile.deleteLeftovers(of: place)
            let data = try WholeFile.read(place, atMost: CookieFileError.maximumByteCount)
            do throws(CookieFile.ForeignText) {
                return (place, try CookieFile.decode(data, limits: limits, at: Date()))
            } catch {
                throw .foreign
            }
        }
    }

    private static func place(_ path: String) throws(CookieFileError) -> FilePath {
        do throws(FileFailure) {
            return try FilePath(followingOwnLinks: path)
        } catch {
            throw .file(error)
        }
    }

    /// All cookies in the order of their first arrival, possibly including expired ones.
    public var cookies: [Cookie] { self.state.withLock { $0.jar.cookies } }

    /// Reads or changes the jar with exclusive access, and writes a change to the file soon afterwards.
    ///
    /// The closure must not block.
    @discardableResult
    public func update<Result: Sendable, Failure: Error>(
        _ change: (inout CookieJar) throws(Failure) -> sending Result
    ) throws(Failure) -> Result {
        // Schedule a write only after a change: reading must not repeat a write that failed.
        var hasChanged = false
        defer { if hasChanged { self.schedule() } }
        return try self.state.withLock { state throws(Failure) in
            let revision = state.jar.revision
            defer { hasChanged = state.jar.revision != revision }
            return try change(&state.jar)
        }
    }

    // MARK: Writing

    /// Writes the file now, if there are changes that are not in the file yet; call this method before the program ends.
    ///
    /// Cancelling the task does not interrupt it.
    ///
    /// - Throws: ``CookieFileError/file(_:)`` when writing fails. The store keeps its cookies, and writes them after the next
    ///   change, or when you call this method again.
    public func flush() async throws(CookieFileError) {
        try await self.queue.perform { self.write() }.get()
    }

    var isWritePending: Bool { self.state.withLock { $0.isScheduled } }

    private func schedule() {
        let isNeeded = self.state.withLock { state in
            guard state.jar.revision != state.written, !state.isScheduled else { return false }
            state.isScheduled = true
            return true
        }
        guard isNeeded else { return }
        // The block retains the store, so that it writes the changes even if the application has released the store.
        self.queue.asyncAfter(deadline: .now() + Self.delay) { _ = self.write() }
    }

    /// Replaces the file; call this method on ``queue``.
    private func write() -> Result<Void, CookieFileError> {
        let jar: CookieJar? = self.state.withLock { state in
            state.isScheduled = false
            return state.jar.revision == state.written ? nil : state.jar
        }
        guard let jar else { return .success(()) }
        return Result { () throws(CookieFileError) in
            try WholeFile.replace(self.place, with: CookieFile.encode(jar, includesSession: self.keepsSession))
            self.state.withLock { $0.written = jar.revision }
        }
    }
}

extension FileCookieStore: CustomStringConvertible, Described {
    package var wording: String { "FileCookieStore of \(self.state.withLock { $0.jar.count })" }
}
