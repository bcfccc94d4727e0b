// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import TernPublishers

@Suite("A loop over a publisher", .hangLimit)
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

    @Test @MainActor func `a subscription that comes late is asked for what the loop waits for`() async {
        let held = Mutex<Recipient<AnySubscriber<Int, Never>>?>(nil)
        let stream = ScriptedPublisher<Int, Never> { subscriber in
            let recipient = Recipient(subscriber)
            held.withLock { $0 = recipient }
        }.asyncStream()
        let isAsking = Flag()
        let loop = Task { @MainActor in
            var iterator = stream.makeAsyncIterator()
            isAsking.raise()
            return await iterator.next()
        }
        // Both tasks run on one actor, so the loop is waiting when this task continues.
        await isAsking.wait()
        let subscription = CountingSubscription { demand in
            if demand > .none { _ = held.withLock { $0 }?.content.receive(7) }
        }
        held.withLock { $0 }?.content.receive(subscription: subscription)
        #expect(await loop.value == 7)
    }

    @Test func `one value is asked for at a time`() async {
        let subscriptions = Mutex<[CountingSubscription]>([])
        let stream = ScriptedPublisher<Int, Never> { subscriber in
            let recipient = Recipient(subscriber)
            let subscription = CountingSubscription { _ in _ = recipient.content.receive(1) }
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
