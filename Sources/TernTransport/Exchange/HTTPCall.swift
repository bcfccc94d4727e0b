// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import Synchronization
public import TernConnections
public import TernErrors
import TernFields
public import TernRequests

/// A call on its way through the client's stages: the request, its destination, and the time limits.
///
/// Each stage passes the call to the next as a value. Copies share one storage until code changes one of the copies.
public struct HTTPCall: Sendable {
    /// Invariant of the unchecked conformance: an `HTTPCall` changes a storage only while no other value refers to that
    /// storage.
    ///
    /// The compiler checks that no other code uses an `HTTPCall` that is being changed, so the storage needs no checks
    /// at run time. Each of them takes about 80 instructions, and a call reads its storage some 25 times.
    @usableFromInline
    final class Storage: @unchecked Sendable {
        @exclusivity(unchecked) @usableFromInline var request: Request
        @exclusivity(unchecked) @usableFromInline var destination: Destination
        @exclusivity(unchecked) @usableFromInline var attempt = 1
        @exclusivity(unchecked) @usableFromInline var timeouts: Timeouts
        @usableFromInline let deadline: CallDeadline?
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

    /// A number that distinguishes calls.
    ///
    /// Copies of one call have the same number, unless they were separated.
    package struct Number: Hashable, Sendable {
        private static let last = Atomic<UInt64>(0)

        private let value = Self.last.add(1, ordering: .relaxed).newValue

        fileprivate init() {}
    }

    @usableFromInline var storage: Storage

    /// Creates a call that begins now.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - destination: The destination, parsed from the URL of the request.
    ///   - timeouts: The time limits.
    ///   - clock: The clock that measures the time limits.
    ///   - observer: Receives the progress of the transfer. Defaults to `nil`.
    ///   - decider: Decides about certificates during TLS handshakes. Defaults to `nil`.
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

    /// Creates a call that began at `start`; the time since then counts toward its time limits.
    ///
    /// `upgrade` is the protocol that the caller's own fields offer to switch to.
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

    // The accessors are inlinable, because an accessor that is not inlined into another module returns a copy of
    // hundreds of bytes.

    /// The current request.
    ///
    /// A stage may change the request before it passes the call on.
    @inlinable public var request: Request {
        get { self.storage.request }
        _modify {
            self.makeUnique()
            yield &self.storage.request
        }
    }
    /// The destination of the request, parsed from the URL.
    ///
    /// A stage that changes the URL must change the destination, too.
    @inlinable public var destination: Destination {
        get { self.storage.destination }
        _modify {
            self.makeUniqueWithoutRoute()
            yield &self.storage.destination
        }
    }
    /// The time limits.
    ///
    /// A stage may change them. But a change of `call` has no effect, because ``deadline`` is set when the call begins.
    @inlinable public var timeouts: Timeouts {
        get { self.storage.timeouts }
        _modify {
            self.makeUnique()
            yield &self.storage.timeouts
        }
    }
    /// The number of the current attempt, from 1.
    ///
    /// A retry, a redirect or an answered challenge begins another attempt.
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
    /// The object that receives the progress of the transfer; `nil` if there is none.
    @inlinable package var observer: (any TransferObserver)? { self.storage.observer }

    /// Replaces the observer for the stages to which the call is passed on, and for the transport.
    package mutating func setObserver(_ observer: any TransferObserver) {
        self.makeUnique()
        self.storage.observer = observer
    }

    /// The object that decides about certificates during TLS handshakes; `nil` leaves the decisions to the TLS
    /// configuration.
    @inlinable package var decider: (any TLSDecider)? { self.storage.decider }

    /// The protocol that the request offers to switch to (RFC 9110 §7.8); `nil` if it offers none.
    ///
    /// This is known from the beginning of the call, and no stage can change it. A request that a stage has deprived of
    /// the field offers nothing.
    package var upgrade: OfferedUpgrade? { self.storage.upgrade }

    /// A number that distinguishes this call from others.
    package var number: Number { self.storage.number }

    /// Gives this copy of the call its own number, because another copy runs at the same time.
    ///
    /// The transport assumes that a call makes one exchange after the other: while a call waits for a connection, the
    /// transport discards the unread bodies of this call.
    package mutating func separate() {
        self.makeUnique()
        self.storage.number = Number()
    }

    /// State that the stages of the call pass to each other.
    package var stageContext: StageContext {
        get { self.storage.stageContext }
        _modify {
            self.makeUnique()
            yield &self.storage.stageContext
        }
    }

    /// The route to the destination.
    ///
    /// One stage resolves the route for the stages below it and for the transport. In the stages above, and after a
    /// change of the destination, the value is `nil`.
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

    /// Returns the deadline for one wait within the call.
    ///
    /// The result is the earlier of two deadlines: `limit` from now, and the deadline of the whole call. If `limit` is
    /// `nil`, only the second one counts.
    public func deadline(_ timeout: Timeout, _ limit: Duration?) -> CallDeadline? {
        guard let limit else { return self.deadline }
        return .earlier(CallDeadline(timeout, limit: limit, from: self.clock.now), self.deadline)
    }

    /// Returns the context that an error reports if it happens now.
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

/// State that the stages of one call pass to each other.
///
/// The state belongs to the call, not to its request, so delegates, monitors and cache keys do not see it. A stage sets
/// a value on the copy of the call that it passes down. Only the stages below can read that value.
package struct StageContext: Sendable {
    /// The values; `nil` if there are none.
    ///
    /// Most calls have no values, and copying `nil` costs one word.
    private var values: [ObjectIdentifier: any Sendable]?

    package init() {}

    /// Whether no stage has set a value.
    package var isEmpty: Bool { self.values == nil }

    /// The value that a stage above has set for the key; `nil` if there is none.
    package subscript<Key: StageContextKey>(_ key: Key.Type) -> Key.Value? {
        get { self.values?[ObjectIdentifier(key)] as? Key.Value }
        set {
            var values = self.values ?? [:]
            values[ObjectIdentifier(key)] = newValue
            self.values = values.isEmpty ? nil : values
        }
    }
}

/// A key for a value of the ``StageContext``, with its type.
package protocol StageContextKey: SendableMetatype {
    /// The type of the value.
    associatedtype Value: Sendable
}

/// The protocol that a request offers to switch to (RFC 9110 §7.8).
package enum OfferedUpgrade: Hashable, Sendable {
    /// A WebSocket (RFC 6455 §4.1), which HTTP/2 can open, too.
    case webSocket
    /// Another protocol, or several, which only HTTP/1.1 can switch to (RFC 9113 §8.6).
    case other

    /// Returns the protocol that the field `Upgrade` names; `nil` without that field.
    package init?(_ fields: HTTPFields) {
        for field in fields where SteeringField(field.name) == .upgrade {
            self = fields[values: .upgrade].map { $0.lowercased() } == ["websocket"] ? .webSocket : .other
            return
        }
        return nil
    }
}
