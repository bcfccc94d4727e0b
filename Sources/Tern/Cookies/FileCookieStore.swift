// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
public import TernCookies
import TernErrors
import TernFiles
public import TernValues

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Keeps cookies in a file, so that they outlive the program.
///
/// ```swift
/// configuration.cookieStore = try await FileCookieStore(file: url)
/// ```
///
/// The file is for its owner alone (mode 0600), and is replaced as a whole: after a crash or a loss of power it is the
/// one before or the one after. A file that another user may have written is refused, and so is a link that another user
/// made; your own link stays a link, to the new file. It is written a moment after a change, once for many; ``flush()`` waits for that. One
/// store at a time should use a file: of two, the one that writes last wins.
///
/// Cookies without an expiry date are not written, unless that is asked for: their session is that of the program.
public final class FileCookieStore: CookieStore, JarStore {
    private struct State {
        var jar: CookieJar
        /// The revision of the jar that the file holds.
        var written: Int
        var isScheduled = false
    }

    /// How long a change may wait for others before it is written.
    private static let delay = DispatchTimeInterval.milliseconds(200)

    /// How many lines of the file were damaged when it was read, and left out.
    package let damagedLineCount: Int

    private let place: FilePath
    private let keepsSession: Bool
    private let state: Mutex<State>
    private let queue: DispatchQueue

    /// Reads a file of cookies; where there is none, the store begins empty.
    ///
    /// A file that was cut or changed gives the cookies that are whole; others are left out.
    ///
    /// - Parameters:
    ///   - file: a file URL; the folder must exist.
    ///   - keepsSession: whether cookies without an expiry date are kept as well; `false` by default: those that are
    ///     in the file are left out, and with the next write from the file.
    ///   - limits: how much is kept; the defaults by default.
    /// - Throws: ``CookieFileError`` if the file cannot be read, or is something else and must not be written over.
    ///   Cancelling the task has no effect.
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
        // Another store wrote those; that session is over.
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

    /// All cookies, those that came first first.
    public var cookies: [Cookie] { self.state.withLock { $0.jar.cookies } }

    /// Reads or changes the jar, alone; a change is written soon.
    ///
    /// - Parameter change: what to do; it must not wait for anything.
    /// - Returns: what the closure returns.
    /// - Throws: what the closure throws.
    @discardableResult
    public func update<Result: Sendable, Failure: Error>(
        _ change: (inout CookieJar) throws(Failure) -> sending Result
    ) throws(Failure) -> Result {
        // To read is no reason to write, even where the last write failed: that is tried again with the next change.
        var hasChanged = false
        defer { if hasChanged { self.schedule() } }
        return try self.state.withLock { state throws(Failure) in
            let revision = state.jar.revision
            defer { hasChanged = state.jar.revision != revision }
            return try change(&state.jar)
        }
    }

    // MARK: Writing

    /// Writes the file now, if it does not hold all changes yet.
    ///
    /// Call it before the program ends. Cancelling the task does not interrupt it.
    ///
    /// - Throws: ``CookieFileError/file(_:)`` if that failed; the cookies are still there, and the next change tries again.
    public func flush() async throws(CookieFileError) {
        try await self.queue.perform { self.write() }.get()
    }

    /// Whether a write is scheduled that has not begun; for tests.
    var isWritePending: Bool { self.state.withLock { $0.isScheduled } }

    private func schedule() {
        let isNeeded = self.state.withLock { state in
            guard state.jar.revision != state.written, !state.isScheduled else { return false }
            state.isScheduled = true
            return true
        }
        guard isNeeded else { return }
        // Keeps the store until then: what was received is written although the store was released.
        self.queue.asyncAfter(deadline: .now() + Self.delay) { _ = self.write() }
    }

    /// Replaces the file; on the queue.
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
    /// How many cookies it keeps.
    package var wording: String { "FileCookieStore of \(self.state.withLock { $0.jar.count })" }
}
