// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import Synchronization
public import TernConnections
public import TernErrors
public import TernRequests

/// A caller's call on its way through the stages: the request, its destination, and its time limits.
///
/// It is a value that is passed down many levels, so copies share one storage until one of them is changed.
public struct HTTPCall: Sendable {
    /// Invariant of the unchecked conformance: it is changed only through an `HTTPCall` that holds the only reference.
    @usableFromInline
    final class Storage: @unchecked Sendable {
        @usableFromInline var request: Request
        @usableFromInline var destination: Destination
        @usableFromInline var attempt = 1
        @usableFromInline var timeouts: Timeouts
        @usableFromInline let deadline: CallDeadline?
        @usableFromInline let start: ClockInstant
        @usableFromInline let clock: any TransportClock
        @usableFromInline var observer: (any TransferObserver)?
        @usableFromInline let decider: (any TLSDecider)?
        var stageContext = StageContext()
        var resolvedRoute: ResolvedRoute?
        let number: Number

        init(
            _ request: Request,
            _ destination: Destination,
            _ timeouts: Timeouts,
            _ clock: any TransportClock,
            _ observer: (any TransferObserver)?,
            _ decider: (any TLSDecider)?,
            _ start: ClockInstant
        ) {
            self.request = request
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
            self.stageContext = other.stageContext
            self.resolvedRoute = other.resolvedRoute
            self.number = other.number
        }
    }

    /// Distinguishes calls; copies of one call have the same number.
    package struct Number: Hashable, Sendable {
        private static let last = Atomic<UInt64>(0)

        private let value = Self.last.add(1, ordering: .relaxed).newValue

        fileprivate init() {}
    }

    @usableFromInline var storage: Storage

    /// Begins a call now.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - destination: The destination of its URL.
    ///   - timeouts: The time limits.
    ///   - clock: The clock for the limits.
    ///   - observer: Receives progress. Defaults to `nil`.
    ///   - decider: Decides about certificates. Defaults to `nil`.
    package init(
        _ request: Request,
        to destination: Destination,
        timeouts: Timeouts,
        clock: any TransportClock,
        observer: (any TransferObserver)? = nil,
        decider: (any TLSDecider)? = nil
    ) {
        self.storage = Storage(request, destination, timeouts, clock, observer, decider, clock.now)
    }

    /// Begins a call at an earlier instant, because time that was spent before counts.
    package init(
        _ request: Request,
        to destination: Destination,
        timeouts: Timeouts,
        clock: any TransportClock,
        observer: (any TransferObserver)?,
        decider: (any TLSDecider)?,
        start: ClockInstant
    ) {
        self.storage = Storage(request, destination, timeouts, clock, observer, decider, start)
    }

    // The accessors are inlined into other modules: there, a call of an accessor would copy hundreds of bytes.

    /// The current request; a stage may change it before it passes the call on.
    @inlinable public var request: Request {
        get { self.storage.request }
        _modify {
            self.makeUnique()
            yield &self.storage.request
        }
    }
    /// The destination of the request, parsed from its URL; change it together with the URL.
    @inlinable public var destination: Destination {
        get { self.storage.destination }
        _modify {
            self.makeUniqueWithoutRoute()
            yield &self.storage.destination
        }
    }
    /// The time limits.
    @inlinable public var timeouts: Timeouts {
        get { self.storage.timeouts }
        _modify {
            self.makeUnique()
            yield &self.storage.timeouts
        }
    }
    /// The number of the current attempt, from 1.
    @inlinable public var attempt: Int {
        get { self.storage.attempt }
        set {
            self.makeUnique()
            self.storage.attempt = newValue
        }
    }
    /// The deadline of the whole call; `nil` if it has no limit.
    @inlinable public var deadline: CallDeadline? { self.storage.deadline }
    /// The instant at which the call began.
    @inlinable public var start: ClockInstant { self.storage.start }
    /// The clock of the call.
    @inlinable public var clock: any TransportClock { self.storage.clock }
    /// Receives the progress of the transfer; `nil` if it is not observed.
    @inlinable package var observer: (any TransferObserver)? { self.storage.observer }

    /// Replaces the observer, for all stages below.
    package mutating func setObserver(_ observer: any TransferObserver) {
        self.makeUnique()
        self.storage.observer = observer
    }

    /// Decides about certificates during a TLS handshake; `nil` leaves that to the configuration.
    @inlinable package var decider: (any TLSDecider)? { self.storage.decider }

    /// The protocols that the request asks to switch to (RFC 9110 §7.8); `nil` if it stays with HTTP.
    package var upgrade: String? { self.storage.request.fields[.upgrade] }

    /// The number of the call.
    package var number: Number { self.storage.number }

    /// State that the stages hand to each other.
    package var stageContext: StageContext {
        get { self.storage.stageContext }
        _modify {
            self.makeUnique()
            yield &self.storage.stageContext
        }
    }

    /// The route to the destination, from the stage that resolved it downwards; `nil` in the stages above it, and after
    /// the destination has changed.
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

    /// The request target in absolute form, for a proxy that forwards the request (RFC 9112 §3.2.2).
    package var absoluteTarget: String {
        "\(self.destination.origin.scheme.rawValue)://\(self.destination.hostField)\(self.destination.target)"
    }

    /// Returns the deadline for one wait within the call: its own limit, or that of the whole call if that is earlier.
    public func deadline(_ timeout: Timeout, _ limit: Duration?) -> CallDeadline? {
        guard let limit else { return self.deadline }
        return .earlier(CallDeadline(timeout, limit: limit, from: self.clock.now), self.deadline)
    }

    /// Returns the context for an error that happens now.
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
