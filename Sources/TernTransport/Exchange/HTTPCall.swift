// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import Synchronization
public import TernConnections
public import TernErrors
import TernFields
public import TernRequests

/// A call on its way through the client's stages, with its request, destination and time limits.
public struct HTTPCall: Sendable {
    /// Invariant of the unchecked conformance: an `HTTPCall` changes a storage only while no other value refers to it.
    ///
    /// The compiler checks that nothing else uses a call that is being changed, so the storage needs no checks at run time. Each
    /// check would take about 80 instructions.
    @usableFromInline
    final class Storage: @unchecked Sendable {
        @exclusivity(unchecked) @usableFromInline var request: Request
        @exclusivity(unchecked) @usableFromInline var destination: Destination
        @exclusivity(unchecked) @usableFromInline var attempt = 1
        @exclusivity(unchecked) @usableFromInline var timeouts: Timeouts
        @exclusivity(unchecked) @usableFromInline var deadline: CallDeadline?
        @usableFromInline let start: ClockInstant
        @usableFromInline let clock: any TransportClock
        @exclusivity(unchecked) @usableFromInline var observer: (any TransferObserver)?
        @usableFromInline let decider: (any TLSDecider)?
        let upgrade: OfferedUpgrade?
        @exclusivity(unchecked) var stageContext = StageContext()
        @exclusivity(unchecked) var resolvedRoute: ResolvedRoute?
        @exclusivity(unchecked) var number: Number

        init(
            _ request: consuming Request,
            _ destination: Destination,
            _ timeouts: Timeouts,
            _ clock: any TransportClock,
            _ observer: (any TransferObserver)?,
            _ decider: (any TLSDecider)?,
            _ start: ClockInstant,
            _ upgrade: OfferedUpgrade?
        ) {
            self.request = consume request
            self.upgrade = upgrade
            self.destination = destination
            self.timeouts = timeouts
            self.deadline = timeouts.call.map { CallDeadline(.call, limit: $0, from: start) }
            self.start = start
            self.clock = clock
            self.observer = observer
            self.decider = decider
            self.number = Number()
        }

        @usableFromInline
        init(copying other: Storage) {
            self.request = other.request
            self.destination = other.destination
            self.attempt = other.attempt
            self.timeouts = other.timeouts
            self.deadline = other.deadline
            self.start = other.start
            self.clock = other.clock
            self.observer = other.observer
            self.decider = other.decider
            self.upgrade = other.upgrade
            self.stageContext = other.stageContext
            self.resolvedRoute = other.resolvedRoute
            self.number = other.number
        }
    }

    /// Distinguishes calls; copies of a call have the same number, until ``separate()`` gives one of them its own.
    package struct Number: Hashable, Sendable {
        private static let last = Atomic<UInt64>(0)

        private let value = Self.last.add(1, ordering: .relaxed).newValue

        fileprivate init() {}
    }

    @usableFromInline var storage: Storage

    package init(
        _ request: Request,
        to destination: Destination,
        timeouts: Timeouts,
        clock: any TransportClock,
        observer: (any TransferObserver)? = nil,
        decider: (any TLSDecider)? = nil
    ) {
        let upgrade = OfferedUpgrade(request.fields)
        self.storage = Storage(request, destination, timeouts, clock, observer, decider, clock.now, upgrade)
    }

    /// Creates a call that began at `start`; `upgrade` is the protocol that the caller's own fields offer to switch to.
    package init(
        _ request: consuming Request,
        to destination: Destination,
        timeouts: Timeouts,
        clock: any TransportClock,
        observer: (any TransferObserver)?,
        decider: (any TLSDecider)?,
        start: ClockInstant,
        upgrade: OfferedUpgrade?
    ) {
        self.storage = Storage(consume request, destination, timeouts, clock, observer, decider, start, upgrade)
    }

    // The accessors are inlinable, because one that is not inlined into another module returns a copy of hundreds of bytes.

    /// The current request, which a stage may change before it passes the call on.
    @inlinable public var request: Request {
        get { self.storage.request }
        _modify {
            self.makeUnique()
            yield &self.storage.request
        }
    }
    /// The destination, which the URL of the request names; a stage that changes the URL must change the destination, too.
    @inlinable public var destination: Destination {
        get { self.storage.destination }
        _modify {
            self.makeUniqueWithoutRoute()
            yield &self.storage.destination
        }
    }
    /// The time limits; a change of `timeouts.call` does not move ``deadline``, which is set when the call begins.
    @inlinable public var timeouts: Timeouts {
        get { self.storage.timeouts }
        _modify {
            self.makeUnique()
            yield &self.storage.timeouts
        }
    }
    /// The number of the current attempt, from 1; for example a retry, a redirect or an answered challenge begins another attempt.
    @inlinable public var attempt: Int {
        get { self.storage.attempt }
        set {
            self.makeUnique()
            self.storage.attempt = newValue
        }
    }
    /// The deadline of the whole call; `nil` if the call has no time limit.
    @inlinable public var deadline: CallDeadline? { self.storage.deadline }
    /// The instant at which the call began.
    @inlinable public var start: ClockInstant { self.storage.start }
    /// The clock of the call.
    @inlinable public var clock: any TransportClock { self.storage.clock }
    @inlinable package var observer: (any TransferObserver)? { self.storage.observer }

    /// Replaces the observer for the stages below and the transport.
    package mutating func setObserver(_ observer: any TransferObserver) {
        self.makeUnique()
        self.storage.observer = observer
    }

    /// Decides about certificates, in TLS handshakes and for open connections; `nil` leaves this to the TLS configuration.
    @inlinable package var decider: (any TLSDecider)? { self.storage.decider }

    /// The protocol that the request offers to switch to (RFC 9110 §7.8), fixed at the beginning of the call.
    package var upgrade: OfferedUpgrade? { self.storage.upgrade }

    package var number: Number { self.storage.number }

    /// Gives this copy its own number, because the transport discards the unread bodies of a call that waits for a connection.
    package mutating func separate() {
        self.makeUnique()
        self.storage.number = Number()
    }

    /// Returns a call for CONNECT, which the client itself sends to the proxy before the request.
    ///
    /// One deadline limits all its waits, nothing observes it, and its errors have the origin and the times of this call.
    package func callToProxy(until deadline: CallDeadline?) -> HTTPCall {
        var call = self
        call.separate()
        call.storage.request = Request(.connect, self.request.url)
        call.storage.timeouts = .none
        call.storage.deadline = deadline
        call.storage.observer = nil
        return call
    }

    package var stageContext: StageContext {
        get { self.storage.stageContext }
        _modify {
            self.makeUnique()
            yield &self.storage.stageContext
        }
    }

    /// The route, which one stage resolves for the stages below it; `nil` above, and after a change of the destination.
    package var resolvedRoute: ResolvedRoute? {
        get { self.storage.resolvedRoute }
        set {
            self.makeUnique()
            self.storage.resolvedRoute = newValue
        }
    }

    @usableFromInline
    mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&self.storage) { self.storage = Storage(copying: self.storage) }
    }

    @usableFromInline
    mutating func makeUniqueWithoutRoute() {
        self.makeUnique()
        self.storage.resolvedRoute = nil
    }

    /// Returns the deadline for one wait within the call: the earlier of `limit` from now and ``deadline``; `nil` without either.
    public func deadline(_ timeout: Timeout, _ limit: Duration?) -> CallDeadline? {
        guard let limit else { return self.deadline }
        return .earlier(CallDeadline(timeout, limit: limit, from: self.clock.now), self.deadline)
    }

    /// Returns the context for an error that happens now; its delivery is `unknown`.
    public func context(_ phase: ClientError.Phase, response: HTTPResponse? = nil) -> ClientError.Context {
        ClientError.Context(
            phase: phase,
            origin: self.destination.origin.description,
            attempt: self.attempt,
            elapsed: self.start.duration(to: self.clock.now),
            response: response
        )
    }
}

/// State of one call, not of its request, so that delegates, monitors and cache keys do not see it.
package struct StageContext: Sendable {
    /// `nil` if there are no values, as in most calls, because copying `nil` costs one word.
    private var values: [ObjectIdentifier: any Sendable]?

    package init() {}

    package var isEmpty: Bool { self.values == nil }

    package subscript<Key: StageContextKey>(_ key: Key.Type) -> Key.Value? {
        get {
            // Without this, a cast of `nil` costs every call 250 instructions.
            guard let value = self.values?[ObjectIdentifier(key)] else { return nil }
            return value as? Key.Value
        }
        set {
            var values = self.values ?? [:]
            values[ObjectIdentifier(key)] = newValue
            self.values = values.isEmpty ? nil : values
        }
    }
}

package protocol StageContextKey: SendableMetatype {
    associatedtype Value: Sendable
}

package enum OfferedUpgrade: Hashable, Sendable {
    /// A WebSocket (RFC 6455 §4.1), which HTTP/2 can open, too.
    case webSocket
    /// Any other offer, for which the client needs HTTP/1.1 (RFC 9113 §8.6).
    case other

    package init?(_ fields: HTTPFields) {
        for field in fields where SteeringField(field.name) == .upgrade {
            self = fields[values: .upgrade].map { $0.lowercased() } == ["websocket"] ? .webSocket : .other
            return
        }
        return nil
    }
}
