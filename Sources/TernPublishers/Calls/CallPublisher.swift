// SPDX-License-Identifier: Apache-2.0

/// Publishes the result of one call of a client: one value, or a failure.
///
/// ```swift
/// let cancellable = client.dataPublisher(from: url)
///     .tryMap { try JSONDecoder().decode(User.self, from: $0.data) }
///     .sink(receiveCompletion: { print($0) }, receiveValue: { show($0) })
/// ```
///
/// Each method that creates a publisher takes the parameters of the method of `Client` that makes the call, such as
/// `data(for:delegate:)` for `dataPublisher(for:delegate:)`, and the publisher fails with the errors of that method.
///
/// **Start.** The client sends nothing before a subscriber asks for a value. Each subscriber makes its own call, and the delegate
/// receives the events of all these calls. With `share()`, which asks for the value immediately, several subscribers get the
/// result of one call; a subscriber that has not asked for the value when it arrives misses it.
///
/// **Threads.** The publisher delivers on the thread on which the call ends or, later, on the one that asks for the value. The
/// subscriber must not block this thread; use `receive(on:)` to move elsewhere.
///
/// **Cancelling.** You can cancel from any thread, at any time. The call is cancelled, and only a delivery that another thread
/// has already begun may still arrive. A subscription retains the subscriber, the delegate and the client until it ends.
public struct CallPublisher<Output: Sendable>: Publisher, Sendable {
    public typealias Failure = ClientError

    typealias Work = @Sendable ((any TaskDelegate)?) async throws(ClientError) -> Output

    let delegate: (any TaskDelegate)?
    let work: Work
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

    /// Returns a publisher of the same call with its progress: ``CallEvent/sent(_:)`` and ``CallEvent/received(_:)``, then the
    /// value.
    ///
    /// The publisher delivers an event only when the subscriber has asked for one, and keeps only the latest event of each kind
    /// until then.
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
    public func withProgress() -> CallProgressPublisher<Output> { CallProgressPublisher(call: self) }
}
