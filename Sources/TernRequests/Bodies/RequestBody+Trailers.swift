// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import TernFoundation

extension RequestBody {
    /// Adds fields that the client sends after the body, as trailers (RFC 9110 §6.5), following those that were added earlier.
    ///
    /// With trailers, the client sends the body without `Content-Length`, over HTTP/1.1 in chunks, and names the fields in the head
    /// with `Trailer`. Most servers that do not expect trailers ignore them. A field that servers need before the content, such as
    /// `Authorization` or `Content-Type`, is left out (§6.5.1). A redirect that drops the body also drops its trailers. Over
    /// `URLSession`, a call with trailers fails.
    public func trailers(_ fields: HTTPFields) -> RequestBody {
        self.adding(fields.map(\.name), readsContent: false) { FixedTrailers(fields) }
    }

    /// Adds trailers that a closure computes when the whole body has been sent, under the rules of ``trailers(_:)``.
    ///
    /// ```swift
    /// let table = RequestBody.stream(rows).trailers(announcing: [rowCount]) {
    ///     [rowCount: "\(counter.value)"]
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - names: The names of the fields, which the head announces in `Trailer` (RFC 9110 §6.6.2). Fields with other names are
    ///     sent as well, but a server may ignore them.
    ///   - make: A closure that returns the fields; the client calls it each time that it has sent the content. If it throws
    ///     while the call still needs them, the request stays incomplete, and the upload fails with `ClientError.uploadFailed`.
    /// - Returns: A changed copy.
    public func trailers(
        announcing names: [HTTPField.Name],
        _ make: @escaping @Sendable () async throws -> HTTPFields
    ) -> RequestBody {
        self.adding(names, readsContent: false) { MadeTrailers(make) }
    }

    /// Adds trailers that closures compute from the content of the body while it is sent.
    ///
    /// ```swift
    /// let body = RequestBody.file(recording)
    ///     .trailers(announcing: [checksum], into: Adler32()) { adler, piece in
    ///         adler.update(piece)
    ///     } finish: { adler in
    ///         [checksum: adler.text]
    ///     }
    /// ```
    ///
    /// For a digest by a ``HashAlgorithm``, use ``Request/contentDigest(_:)``. The `update` closure gets the content as the client
    /// sends it: with ``Request/compressed(minimumByteCount:)``, the compressed bytes. If either closure throws an error, the
    /// upload fails, as in ``trailers(announcing:_:)``.
    ///
    /// - Parameters:
    ///   - names: The names of the fields, as in ``trailers(announcing:_:)``.
    ///   - initial: The state before the first piece, each time that the body is sent.
    ///   - update: A closure that updates the state with a piece, which is never empty, before the piece is sent.
    ///   - finish: A closure that returns the fields from the last state.
    /// - Returns: A changed copy.
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

    package struct AddedTrailers: Sendable {
        /// The names that the head announces, in the order in which they were added; some may not be allowed as trailers.
        package private(set) var names: [HTTPField.Name] = []
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

        package func makeComputation() -> TrailerComputation { TrailerComputation(self.sources.map { $0() }) }
    }

    package struct TrailerComputation {
        private let sources: [TrailerSource]

        fileprivate init(_ sources: [TrailerSource]) { self.sources = sources }

        package func update(_ piece: Data) throws {
            for source in self.sources { try source.update(piece) }
        }

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

private class TrailerSource {
    func update(_ piece: Data) throws {}

    nonisolated(nonsending) func finish() async throws -> HTTPFields { [:] }
}

private final class FixedTrailers: TrailerSource {
    private let fields: HTTPFields

    init(_ fields: HTTPFields) { self.fields = fields }

    override nonisolated(nonsending) func finish() async throws -> HTTPFields { self.fields }
}

private final class MadeTrailers: TrailerSource {
    private let make: @Sendable () async throws -> HTTPFields

    init(_ make: @escaping @Sendable () async throws -> HTTPFields) { self.make = make }

    override nonisolated(nonsending) func finish() async throws -> HTTPFields { try await self.make() }
}

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
