// SPDX-License-Identifier: Apache-2.0
@testable import TernPublishers
import TestSupport
import Testing

@Suite("The end of a loop over a publisher", .hangLimit)
struct AsyncStreamEndTests {
    /// Returns a publisher that never sends, and its subscription.
    private static func silent() -> (ScriptedPublisher<Int, Broken>, CountingSubscription) {
        let subscription = CountingSubscription()
        return (ScriptedPublisher { $0.receive(subscription: subscription) }, subscription)
    }

    @Test func `cancel() ends a loop that waits`() async throws {
        let (publisher, subscription) = Self.silent()
        let stream = publisher.asyncStream()
        let loop = Task { for try await value in stream { Issue.record("\(value)") } }
        try await eventually("the loop waits") { subscription.demands == [.max(1)] }
        stream.cancel()
        stream.cancel()
        try await loop.value
        #expect(subscription.cancelCount == 1)
    }

    @Test func `cancel() drops what was kept`() async throws {
        let stream = (0..<10).publisher.asyncStream(bufferingPolicy: .prefetching(5))
        stream.cancel()
        for await value in stream { Issue.record("\(value)") }
    }

    @Test @MainActor func `cancel() drops what is on its way to the loop`() async {
        let subject = PassthroughSubject<Int, Never>()
        let isWaiting = Flag()
        let stream = subject.handleEvents(receiveRequest: { _ in isWaiting.raise() }).asyncStream()
        let loop = Task { @MainActor in for await value in stream { Issue.record("\(value)") } }
        // Both tasks run on one actor, so the loop is waiting for a value when this task continues.
        await isWaiting.wait()
        subject.send(1)
        stream.cancel()
        await loop.value
    }

    @Test @MainActor func `the release of a loop that has ended takes no value from another`() async {
        let subject = PassthroughSubject<Int, Never>()
        let waitingCount = Flag()
        let stream = subject.handleEvents(receiveRequest: { _ in waitingCount.raise() }).asyncStream()
        let first = Task { @MainActor in
            var iterator = stream.makeAsyncIterator()
            return await iterator.next()
        }
        await waitingCount.wait()
        subject.send(1)
        subject.send(completion: .finished)
        // This loop runs before the first one continues.
        for await value in stream { Issue.record("\(value)") }
        #expect(await first.value == 1)
    }

    @Test func `a failure that nobody took is released where no lock is held`() {
        final class Calling: Error, Sendable {
            let call: @Sendable () -> Void
            init(_ call: @escaping @Sendable () -> Void) { self.call = call }
            deinit { self.call() }
        }
        let released = Flag()
        let subscriber = BridgeSubscriber<Int, Calling>(.oneAtATime)
        subscriber.receive(subscription: CountingSubscription())
        do {
            let failure = Calling {
                subscriber.cancel()
                released.raise()
            }
            subscriber.receive(completion: .failure(failure))
        }
        subscriber.cancel()
        #expect(released.isRaised)
    }

    @Test func `cancelling the task ends the loop and the subscription`() async throws {
        let (publisher, subscription) = Self.silent()
        let stream = publisher.asyncStream()
        let loop = Task { for try await value in stream { Issue.record("\(value)") } }
        try await eventually("the loop waits") { subscription.demands == [.max(1)] }
        loop.cancel()
        try await loop.value
        #expect(subscription.cancelCount == 1)
    }

    @Test func `a task that is cancelled already gets nothing`() async throws {
        let stream = (0..<10).publisher.asyncStream()
        let loop = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            for await value in stream { Issue.record("\(value)") }
        }
        await loop.value
    }

    @Test func `leaving the loop cancels, though the stream is held`() async {
        let subject = PassthroughSubject<Int, Never>()
        let cancelled = Flag()
        let stream = subject.handleEvents(receiveCancel: { cancelled.raise() })
            .asyncStream(bufferingPolicy: .bufferingOldest(4))
        subject.send(1)
        for await _ in stream { break }
        #expect(cancelled.count == 1)
        withExtendedLifetime(stream) {}
    }

    @Test func `releasing the stream cancels, without a loop`() {
        let (publisher, subscription) = Self.silent()
        do { _ = publisher.asyncStream() }
        #expect(subscription.cancelCount == 1)
    }

    @Test func `the end of the publisher releases its subscription`() async {
        let released = Flag()
        final class Sentinel: Sendable {
            let released: Flag
            init(_ released: Flag) { self.released = released }
            deinit { self.released.raise() }
        }
        let stream: CombineAsyncStream<AnyPublisher<Int, Never>>
        do {
            let sentinel = Sentinel(released)
            stream = Just(1).map { value in withExtendedLifetime(sentinel) { value } }.eraseToAnyPublisher()
                .asyncStream()
        }
        for await value in stream { #expect(value == 1) }
        #expect(released.isRaised)
    }

    @Test func `of several loops each value goes to one, and the end ends all`() async {
        let stream = (0..<1000).publisher.asyncStream(bufferingPolicy: .prefetching(4))
        let loops = (0..<3).map { _ in
            Task {
                var values: [Int] = []
                for await value in stream { values.append(value) }
                return values
            }
        }
        var values: [Int] = []
        for loop in loops { values += await loop.value }
        #expect(values.sorted() == Array(0..<1000))
    }

    @Test func `a value that makes room for another is released outside of any lock`() {
        // The release of this object calls the stream. If the stream held its lock, the call would hang or trap.
        final class Cancelling: Sendable {
            let released: Flag
            let cancel: @Sendable () -> Void

            init(_ released: Flag, cancel: @escaping @Sendable () -> Void) {
                self.released = released
                self.cancel = cancel
            }

            deinit {
                self.cancel()
                self.released.raise()
            }
        }
        let released = Flag()
        let subject = PassthroughSubject<Cancelling, Never>()
        let stream = subject.asyncStream(bufferingPolicy: .bufferingNewest(1))
        for _ in 0..<2 { subject.send(Cancelling(released) { [weak stream] in stream?.cancel() }) }
        #expect(released.count == 2)
    }
}
