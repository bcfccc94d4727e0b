// SPDX-License-Identifier: Apache-2.0
import ClientTestSupport
import Synchronization
import TernTesting
import TestSupport
import Testing

@testable import TernPublishers

@Suite("A loop over a publisher on several threads", .hangLimit)
struct AsyncStreamThreadTests {
    /// An executor that runs a job at once, on the thread that enqueues it.
    private final class InlineExecutor: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            UnownedJob(job).runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }

    @Test func `values of several publishers in flatMap all come to a loop with a buffer`() async throws {
        let client = Client(configuration: .patient, connector: MemoryConnector { _ in .response(body: "body") })
        for _ in 0..<500 {
            let publisher = Array(repeating: testURL, count: 4).publisher.setFailureType(to: ClientError.self)
                .flatMap { client.dataPublisher(from: $0) }
            var count = 0
            for try await _ in publisher.asyncStream(bufferingPolicy: .bufferingOldest(4)) { count += 1 }
            #expect(count == 4)
        }
    }

    @Test func `what a loop asks for while its value is delivered is what the delivery returns`() async throws {
        let subscription = CountingSubscription()
        let held = Mutex<Recipient<AnySubscriber<Int, Never>>?>(nil)
        let stream = ScriptedPublisher<Int, Never> { subscriber in
            let recipient = Recipient(subscriber)
            held.withLock { $0 = recipient }
            subscriber.receive(subscription: subscription)
        }.asyncStream()
        // The loop continues during the delivery, as it may on another thread.
        let loop = Task(executorPreference: InlineExecutor()) {
            var values: [Int] = []
            for await value in stream { values.append(value) }
            return values
        }
        let subscriber = try #require(held.withLock { $0 }).content
        for value in 0..<3 {
            let demand = subscriber.receive(value)
            #expect(demand == .max(1))
        }
        subscriber.receive(completion: .finished)
        #expect(await loop.value == [0, 1, 2])
        #expect(subscription.demands == [.max(1)])
    }

    @Test func `a loop on another thread asks for each value once, in either way`() async throws {
        let returned = Mutex<[Subscribers.Demand]>([])
        let subscription = CountingSubscription()
        let held = Mutex<Recipient<AnySubscriber<Int, Never>>?>(nil)
        let stream = ScriptedPublisher<Int, Never> { subscriber in
            let recipient = Recipient(subscriber)
            held.withLock { $0 = recipient }
            subscriber.receive(subscription: subscription)
        }.asyncStream()
        let loop = Task {
            var count = 0
            for await _ in stream { count += 1 }
            return count
        }
        // Every value is requested in one of the two ways, and no value twice.
        for count in 1...500 {
            try await eventually("value \(count) is asked for") {
                subscription.demands.count + returned.withLock { $0.count } >= count
            }
            let demand = held.withLock { $0 }?.content.receive(count) ?? .none
            if demand > .none { returned.withLock { $0.append(demand) } }
        }
        try await eventually("one more is asked for") {
            subscription.demands.count + returned.withLock { $0.count } > 500
        }
        held.withLock { $0 }?.content.receive(completion: .finished)
        #expect(await loop.value == 500)
        let demands = subscription.demands + returned.withLock { $0 }
        #expect(demands == Array(repeating: .max(1), count: 501))
    }

    @Test(arguments: [BufferingPolicy.oneAtATime, .prefetching(3), .bufferingNewest(2), .bufferingOldest(2)])
    func `a timer that connects by itself ticks until the loop is left`(policy: BufferingPolicy) async {
        let ticker = Ticker()
        var ticks: [Int] = []
        for await tick in ticker.autoconnect().asyncStream(bufferingPolicy: policy) {
            ticks.append(tick)
            if ticks.count == 10 { break }
        }
        #expect(ticks.count == 10)
        #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0 < $1 }, "in order, and none twice")
        #expect(ticker.connections.count == 1)
        #expect(!ticker.hasSubscriber, "the subscription is cancelled")
        await ticker.end.wait()
    }

    // In a debug build, a continuation traps if it is resumed twice.
    @Test func `no continuation is resumed twice, whatever comes at once`() async {
        for round in 0..<2000 {
            let subject = PassthroughSubject<Int, Broken>()
            struct Sender: @unchecked Sendable { let subject: PassthroughSubject<Int, Broken> }  // has a lock
            let sender = Sender(subject: subject)
            let policies: [BufferingPolicy] = [.oneAtATime, .prefetching(2), .bufferingNewest(1), .bufferingOldest(1)]
            let stream = subject.asyncStream(bufferingPolicy: policies[round % policies.count])
            // No loop uses this stream, which is released while values arrive.
            var loopless: CombineAsyncStream? = subject.asyncStream(bufferingPolicy: policies[round % policies.count])
            await withDiscardingTaskGroup { [given = loopless.take()] group in
                group.addTask {
                    for _ in 0..<round % 5 { await Task.yield() }
                    withExtendedLifetime(given) {}
                }
                for _ in 0..<2 {
                    group.addTask {
                        var last = -1
                        do {
                            for try await value in stream {
                                if value <= last { Issue.record("\(value) after \(last)") }
                                last = value
                                if value == round % 40 { break }
                            }
                        } catch {}
                    }
                }
                group.addTask { for value in 0..<20 { sender.subject.send(value) } }
                group.addTask {
                    for _ in 0..<round % 7 { await Task.yield() }
                    sender.subject.send(completion: round.isMultiple(of: 2) ? .finished : .failure(Broken()))
                }
                if round.isMultiple(of: 5) {
                    group.addTask {
                        for _ in 0..<round % 11 { await Task.yield() }
                        stream.cancel()
                    }
                }
                if round.isMultiple(of: 3) { group.cancelAll() }
            }
        }
    }
}
