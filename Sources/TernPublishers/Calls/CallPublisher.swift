// SPDX-License-Identifier: Apache-2.0

/// Publishes what one call of a client gives: one value, or a failure.
///
/// ```swift
/// let cancellable = client.dataPublisher(from: url)
///     .tryMap { try JSONDecoder().decode(User.self, from: $0.data) }
///     .sink(receiveCompletion: { print($0) }, receiveValue: { show($0) })
/// ```
///
/// **When.** Nothing is sent before a subscriber asks for a value. Each subscriber causes a call of its own; `share()`
/// makes one of them. The delegate that was given is told about all of them.
///
/// **Where.** A subscriber is called from whatever thread the call ends on, one call at a time; `receive(on:)` brings it
/// elsewhere. It must not block there.
///
/// **Sharing.** `share()` asks for the value at once, and a subscriber of it that has asked for none by then misses it.
///
/// **Cancelling.** From any thread, at any time. The call ends at once, and the subscriber is not called again, but that a
/// call of it which another thread has begun by then may still arrive. A subscription holds subscriber, delegate and client
/// until it is over, and nothing after that.
public struct CallPublisher<Output: Sendable>: Publisher, Sendable {
    public typealias Failure = ClientError

    typealias Work = @Sendable ((any TaskDelegate)?) async throws(ClientError) -> Output

    let delegate: (any TaskDelegate)?
    let work: Work
    /// Disposes of a value that no subscriber gets.
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

    /// The same call with its progress: ``CallEvent/sent(_:)`` and ``CallEvent/received(_:)``, then the value.
    ///
    /// Progress needs demand as values do. What comes while there is none, or while the subscriber is busy, is not
    /// queued: the latest of each kind is given when there is demand again.
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
    /// - Returns: a publisher of the same call.
    public func withProgress() -> CallProgressPublisher<Output> { CallProgressPublisher(call: self) }
}
