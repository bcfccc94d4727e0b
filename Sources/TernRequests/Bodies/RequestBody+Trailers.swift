// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernFoundation

extension RequestBody {
    /// Adds fields that the client sends after the body, as trailers (RFC 9110 §6.5).
    ///
    /// The fields follow the ones that were added earlier.
    ///
    /// With trailers, the client sends the body in chunks, without `Content-Length`, and names the fields in the head
    /// with `Trailer`. Servers that do not expect trailers ignore them. A field that servers need before the content,
    /// such as `Authorization` or `Content-Type`, is left out of the trailers and of `Trailer` (§6.5.1).
    ///
    /// - Parameter fields: The fields.
    /// - Returns: A changed copy. A redirect that drops the body also drops its trailers.
    public func trailers(_ fields: HTTPFields) -> RequestBody {
        self.adding(fields.map(\.name), readsContent: false) { FixedTrailers(fields) }
    }

    /// Adds trailers that a closure computes when the whole body has been sent.
    ///
    /// ```swift
    /// let table = RequestBody.stream(rows).trailers(announcing: [rowCount]) { [rowCount: "\(counter.value)"] }
    /// ```
    ///
    /// - Parameters:
    ///   - names: The names of the fields, which the head announces in `Trailer` (RFC 9110 §6.6.2). Fields with other
    ///     names are sent as well, but a server may ignore them.
    ///   - make: A closure that returns the fields; called each time that the body is sent. If it throws an error, the
    ///     call fails with `ClientError.uploadFailed(.streamFailed)`. The request then has no valid end, so that no
    ///     server mistakes it for a complete one.
    /// - Returns: A changed copy. The rules of ``trailers(_:)`` apply.
    public func trailers(
        announcing names: [HTTPField.Name],
        _ make: @escaping @Sendable () async throws -> HTTPFields
    ) -> RequestBody {
        self.adding(names, readsContent: false) { MadeTrailers(make) }
    }

    /// Adds trailers that closures compute from the content of the body while it is sent.
    ///
    /// ```swift
    /// let body = RequestBody.file(recording).trailers(announcing: [checksum], into: Adler32()) { adler, piece in
    ///     adler.update(piece)
    /// } finish: { adler in
    ///     [checksum: adler.text]
    /// }
    /// ```
    ///
    /// For a digest with SHA-256 or SHA-512, use ``Request/contentDigest(_:)``. The closures get the content as the
    /// client sends it: with ``Request/compressed(minimumByteCount:)``, they get the compressed bytes.
    ///
    /// - Parameters:
    ///   - names: The names of the fields; see ``trailers(announcing:_:)``.
    ///   - initial: The state before the first piece, each time that the body is sent.
    ///   - update: A closure that updates the state with a piece before the piece is sent. A piece is never empty, and
    ///     the boundaries between pieces have no meaning.
    ///   - finish: A closure that returns the fields from the last state. If either closure throws an error, the call
    ///     fails, as in ``trailers(announcing:_:)``.
    /// - Returns: A changed copy. The rules of ``trailers(_:)`` apply.
    public func trailers<State: Sendable>(
        announcing names: [HTTPField.Name],
        into initial: State,
        update: @escaping @Sendable (inout State, Data) throws -> Void,
        finish: @escaping @Sendable (State) async throws -> HTTPFields
    ) -> RequestBody {
        self.adding(names, readsContent: true) { ReducedTrailers(initial, update, finish) }
    }

    private func adding(
        _ names: [HTTPField.Name],
        readsContent: Bool,
        _ make: @escaping @Sendable () -> TrailerSource
    ) -> RequestBody {
        var body = self
        body.addedTrailers = (self.addedTrailers ?? AddedTrailers()).adding(names, readsContent: readsContent, make)
        return body
    }

    /// The trailers of a body, as far as they are known before the body is sent: their names, and the code that
    /// computes them.
    package struct AddedTrailers: Sendable {
        /// The names that the head announces, in the order in which they were added.
        ///
        /// They may contain names that are not allowed as trailers.
        package private(set) var names: [HTTPField.Name] = []
        /// Whether the computation reads the content while it is sent.
        package private(set) var readsContent = false

        private var sources: [@Sendable () -> TrailerSource] = []

        init(announcing names: [HTTPField.Name] = []) { self.add(names) }

        private mutating func add(_ names: [HTTPField.Name]) {
            for name in names where !self.names.contains(name) { self.names.append(name) }
        }

        fileprivate func adding(
            _ names: [HTTPField.Name],
            readsContent: Bool,
            _ make: @escaping @Sendable () -> TrailerSource
        ) -> AddedTrailers {
            var trailers = self
            trailers.add(names)
            if readsContent { trailers.readsContent = true }
            trailers.sources.append(make)
            return trailers
        }

        /// Starts a computation of the fields; call this method each time that the body is sent.
        package func makeComputation() -> TrailerComputation { TrailerComputation(self.sources.map { $0() }) }
    }

    /// Computes the trailers of a body that is being sent.
    ///
    /// The computation belongs to the task that sends the body.
    package struct TrailerComputation {
        private let sources: [TrailerSource]

        fileprivate init(_ sources: [TrailerSource]) { self.sources = sources }

        /// Updates the computation with a piece of the content.
        ///
        /// - Throws: The error that the caller's closure throws.
        package func update(_ piece: Data) throws {
            for source in self.sources { try source.update(piece) }
        }

        /// Computes the fields from the whole content.
        ///
        /// - Returns: The fields, in the order in which they were added.
        /// - Throws: The error that the caller's closure throws.
        nonisolated(nonsending) package func finish() async throws -> HTTPFields {
            var fields = HTTPFields()
            for source in self.sources {
                for field in try await source.finish() { fields.append(field) }
            }
            return fields
        }
    }
}

@available(*, unavailable)
extension RequestBody.TrailerComputation: Sendable {}

/// Computes some of the trailers of one body that is being sent.
private class TrailerSource {
    func update(_ piece: Data) throws {}

    nonisolated(nonsending) func finish() async throws -> HTTPFields { [:] }
}

/// Fields with known values.
private final class FixedTrailers: TrailerSource {
    private let fields: HTTPFields

    init(_ fields: HTTPFields) { self.fields = fields }

    override nonisolated(nonsending) func finish() async throws -> HTTPFields { self.fields }
}

/// Fields from a closure.
private final class MadeTrailers: TrailerSource {
    private let make: @Sendable () async throws -> HTTPFields

    init(_ make: @escaping @Sendable () async throws -> HTTPFields) { self.make = make }

    override nonisolated(nonsending) func finish() async throws -> HTTPFields { try await self.make() }
}

/// Fields computed from the content.
private final class ReducedTrailers<State: Sendable>: TrailerSource {
    private var state: State
    private let change: @Sendable (inout State, Data) throws -> Void
    private let make: @Sendable (State) async throws -> HTTPFields

    init(
        _ initial: State,
        _ change: @escaping @Sendable (inout State, Data) throws -> Void,
        _ make: @escaping @Sendable (State) async throws -> HTTPFields
    ) {
        self.state = initial
        self.change = change
        self.make = make
    }

    override func update(_ piece: Data) throws { try self.change(&self.state, piece) }

    override nonisolated(nonsending) func finish() async throws -> HTTPFields { try await self.make(self.state) }
}
