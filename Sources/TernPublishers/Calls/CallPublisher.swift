// SPDX-License-Identifier: Apache-2.0

/// Publishes the result of one call of a client: one value, or a failure.
///
/// ```swift
/// let cancellable = client.dataPublisher(from: url)
///     .tryMap { try JSONDecoder().decode(User.self, from: $0.data) }
///     .sink(receiveCompletion: { print($0) }, receiveValue: { show($0) })
/// ```
///
/// **Start.** The client sends nothing before a subscriber asks for a value. Each subscriber makes a call of its own;
/// with `share()`, several subscribers get the result of one call. The delegate receives the events of all these calls.
///
/// **Threads.** The publisher delivers to a subscriber on the thread on which the call ends, one value at a time. The
/// subscriber must not block that thread; use `receive(on:)` to move elsewhere.
///
/// **Sharing.** `share()` asks for the value immediately. A subscriber that has not asked for the value when the value
/// arrives misses it.
///
/// **Cancelling.** You can cancel from any thread, at any time. The call ends at once, and the publisher delivers
/// nothing more. Only a delivery that another thread has already begun may still arrive. A subscription retains the
/// subscriber, the delegate and the client until the subscription ends, and retains nothing after that.
public struct CallPublisher<Output: Sendable>: Publisher, Sendable {
    public typealias Failure = ClientError

    typealias Work = @Sendable ((any TaskDelegate)?) async throws(ClientError) -> Output

    let delegate: (any TaskDelegate)?
    let work: Work
    /// Deletes what a value refers to, such as a temporary file, if no subscriber receives the value.
    let discard: @Sendable (Output) -> Void

    init(
        delegate: (any TaskDelegate)?,
        discard: @escaping @Sendable (Output) -> Void = { _ in },
        work: @escaping Work
    ) {
        self.delegate = delegate
        self.discard = discard
        self.work = work
    }

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == ClientError {
        let driver = CallDriver(
            AnySubscriber(subscriber),
            discard: self.discard,
            work: { [work, delegate] _ throws(ClientError) in try await work(delegate) }
        )
        DrivenSubscription(driver).attach(to: subscriber)
    }

    /// Returns a publisher of the same call with its progress: ``CallEvent/sent(_:)`` and ``CallEvent/received(_:)``,
    /// then the value.
    ///
    /// The publisher delivers progress, like a value, only when the subscriber has asked for an event. Progress that
    /// arrives without such demand, or while the subscriber is busy, is not queued. The publisher keeps only the latest
    /// event of each kind, and delivers it when there is demand again.
    ///
    /// ```swift
    /// let cancellable = client.downloadPublisher(from: url).withProgress()
    ///     .sink(receiveCompletion: { print($0) }) { event in
    ///         switch event {
    ///         case .sent: break
    ///         case .received(let progress): bar.fraction = progress.fractionCompleted
    ///         case .value(let download): show(download.url)
    ///         }
    ///     }
    /// ```
    ///
    /// - Returns: A publisher of the same call.
    public func withProgress() -> CallProgressPublisher<Output> { CallProgressPublisher(call: self) }
}
