// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TernPublishers
import TestSupport
import Testing

@Suite("A loop over a publisher", .timeLimit(.minutes(1)))
struct AsyncStreamTests {
    @Test(arguments: [
        BufferingPolicy.oneAtATime, .prefetching(1), .prefetching(7), .bufferingOldest(1000), .bufferingNewest(1000),
    ])
    func `it gives all values of a publisher that heeds demand, in order`(policy: BufferingPolicy) async {
        var values: [Int] = []
        for await value in (0..<1000).publisher.asyncStream(bufferingPolicy: policy) { values.append(value) }
        #expect(values == Array(0..<1000))
    }

    @Test func `it throws the failure of the publisher, with its type, after the values`() async {
        let publisher = (0..<3).publisher.setFailureType(to: Broken.self).append(Fail(error: Broken()))
        var values: [Int] = []
        do throws(Broken) {
            for try await value in publisher.asyncStream() { values.append(value) }
            Issue.record("the loop ended without an error")
        } catch {
            #expect(error == Broken())
        }
        #expect(values == [0, 1, 2])
    }

    @Test func `a completion within receive(subscription:) is the end`() async {
        for await value in Empty<Int, Never>().asyncStream() { Issue.record("\(value)") }
        let failing = Fail<Int, Broken>(error: Broken()).asyncStream()
        await #expect(throws: Broken.self) { for try await value in failing { Issue.record("\(value)") } }
        let unsubscribed = ScriptedPublisher<Int, Never> { $0.receive(completion: .finished) }.asyncStream()
        for await value in unsubscribed { Issue.record("\(value)") }
    }

    @Test func `a subscription that comes late is asked for what the loop waits for`() async {
        struct Held: @unchecked Sendable { let subscriber: AnySubscriber<Int, Never> }
        let held = Mutex<Held?>(nil)
        let stream = ScriptedPublisher<Int, Never> { given in held.withLock { $0 = Held(subscriber: given) } }
            .asyncStream()
        let loop = Task {
            var iterator = stream.makeAsyncIterator()
            return await iterator.next()
        }
        for _ in 0..<100 { await Task.yield() }
        let subscription = CountingSubscription { demand in
            if demand > .none { _ = held.withLock { $0 }?.subscriber.receive(7) }
        }
        held.withLock { $0 }?.subscriber.receive(subscription: subscription)
        #expect(await loop.value == 7)
    }

    @Test func `one value is asked for at a time`() async {
        let subscriptions = Mutex<[CountingSubscription]>([])
        let stream = ScriptedPublisher<Int, Never> { subscriber in
            struct Held: @unchecked Sendable { let subscriber: AnySubscriber<Int, Never> }
            let held = Held(subscriber: subscriber)
            let subscription = CountingSubscription { _ in _ = held.subscriber.receive(1) }
            subscriptions.withLock { $0.append(subscription) }
            subscriber.receive(subscription: subscription)
        }.asyncStream()
        var iterator = stream.makeAsyncIterator()
        for _ in 0..<3 { #expect(await iterator.next() == 1) }
        #expect(subscriptions.withLock { $0.map(\.demands) } == [[.max(1), .max(1), .max(1)]])
    }

    @Test(arguments: [
        (BufferingPolicy.oneAtATime, []), (.prefetching(3), [0, 1, 2]), (.bufferingOldest(3), [0, 1, 2]),
        (.bufferingNewest(3), [97, 98, 99]), (.bufferingNewest(-1), [99]),
    ])
    func `a publisher that ignores demand fills no more than the policy says`(
        policy: BufferingPolicy,
        expected: [Int]
    ) async {
        let publisher = ScriptedPublisher<Int, Never> { subscriber in
            subscriber.receive(subscription: CountingSubscription())
            for value in 0..<100 { _ = subscriber.receive(value) }
            subscriber.receive(completion: .finished)
            subscriber.receive(completion: .finished)
        }
        var values: [Int] = []
        for await value in publisher.asyncStream(bufferingPolicy: policy) { values.append(value) }
        #expect(values == expected)
    }

    @Test func `a subject that floods a slow loop is heard as the loop can`() async {
        let subject = PassthroughSubject<Int, Never>()
        let stream = subject.asyncStream(bufferingPolicy: .bufferingNewest(4))
        for value in 0..<10_000 { subject.send(value) }
        subject.send(completion: .finished)
        var values: [Int] = []
        for await value in stream { values.append(value) }
        #expect(values == [9996, 9997, 9998, 9999])
    }

    @Test func `values that are sent within the loop are heard`() async {
        let subject = PassthroughSubject<Int, Never>()
        var values: [Int] = []
        let stream = subject.asyncStream(bufferingPolicy: .bufferingOldest(8))
        subject.send(0)
        for await value in stream {
            values.append(value)
            if value < 10 { subject.send(value + 1) } else { subject.send(completion: .finished) }
        }
        #expect(values == Array(0...10))
    }

    @Test func `a current value and those after it are heard`() async {
        let subject = CurrentValueSubject<Int, Never>(1)
        var iterator = subject.asyncStream().makeAsyncIterator()
        #expect(await iterator.next() == 1)
        subject.send(2)
        #expect(await iterator.next() == 2)
    }

    @Test func `a timer ticks until the stream is cancelled`() async {
        let timer = AsyncStream<Int> { continuation in
            let ticking = Task {
                for tick in 0... {
                    try await Task.sleep(for: .milliseconds(1))
                    continuation.yield(tick)
                }
            }
            continuation.onTermination = { _ in ticking.cancel() }
        }
        let stream = timer.publisher.asyncStream()
        var ticks: [Int] = []
        for await tick in stream {
            ticks.append(tick)
            if tick == 4 { stream.cancel() }
        }
        #expect(ticks == [0, 1, 2, 3, 4])
    }

    @Test func `there and back gives the same`() async {
        let publisher = (0..<100).publisher.asyncStream(bufferingPolicy: .prefetching(8)).publisher
        let subscriber = RecordingSubscriber<Int, Never>(
            onSubscription: { $0.request(.max(1)) },
            onValue: { _, _ in .max(1) }
        )
        publisher.subscribe(subscriber)
        await subscriber.waitForCompletion()
        #expect(subscriber.values == Array(0..<100))
    }
}

@Suite("The end of a loop over a publisher", .timeLimit(.minutes(1)))
struct AsyncStreamEndTests {
    /// A publisher that never sends, and its subscription.
    private static func silent() -> (ScriptedPublisher<Int, Broken>, CountingSubscription) {
        let subscription = CountingSubscription()
        return (ScriptedPublisher { $0.receive(subscription: subscription) }, subscription)
    }

    @Test func `cancel() ends a loop that waits`() async throws {
        let (publisher, subscription) = Self.silent()
        let stream = publisher.asyncStream()
        let loop = Task { for try await value in stream { Issue.record("\(value)") } }
        await eventually { subscription.demands == [.max(1)] }
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

    @Test func `cancelling the task ends the loop and the subscription`() async throws {
        let (publisher, subscription) = Self.silent()
        let stream = publisher.asyncStream()
        let loop = Task { for try await value in stream { Issue.record("\(value)") } }
        await eventually { subscription.demands == [.max(1)] }
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

    @Test func `of several loops each gets some, and the end ends all`() async {
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

    @Test func `no continuation is resumed twice, whatever comes at once`() async {
        for round in 0..<2000 {
            let subject = PassthroughSubject<Int, Broken>()
            struct Sender: @unchecked Sendable { let subject: PassthroughSubject<Int, Broken> }  // which locks
            let sender = Sender(subject: subject)
            let policies: [BufferingPolicy] = [.oneAtATime, .prefetching(2), .bufferingNewest(1), .bufferingOldest(1)]
            let stream = subject.asyncStream(bufferingPolicy: policies[round % policies.count])
            await withDiscardingTaskGroup { group in
                group.addTask {
                    var last = -1
                    do {
                        for try await value in stream {
                            if value <= last { Issue.record("\(value) after \(last)") }
                            last = value
                        }
                    } catch {}
                }
                group.addTask { for value in 0..<20 { sender.subject.send(value) } }
                group.addTask {
                    for _ in 0..<round % 7 { await Task.yield() }
                    sender.subject.send(completion: round.isMultiple(of: 2) ? .finished : .failure(Broken()))
                }
                group.addTask {
                    for _ in 0..<round % 11 { await Task.yield() }
                    stream.cancel()
                }
                if round.isMultiple(of: 3) { group.cancelAll() }
            }
        }
    }
}
