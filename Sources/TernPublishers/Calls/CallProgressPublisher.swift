// SPDX-License-Identifier: Apache-2.0

/// What a call with progress publishes.
public enum CallEvent<Value: Sendable>: Sendable {
    /// How much of the request's body was handed to the network.
    case sent(TransferProgress)
    /// How much of the response's body was read.
    case received(TransferProgress)
    /// What the call gives, once and last.
    case value(Value)
}

extension CallEvent: Equatable where Value: Equatable {}

/// Publishes the progress of one call of a client, and what it gives; see ``CallPublisher/withProgress()``.
public struct CallProgressPublisher<Value: Sendable>: Publisher, Sendable {
    public typealias Output = CallEvent<Value>
    public typealias Failure = ClientError

    let call: CallPublisher<Value>

    public func receive<Downstream: Subscriber>(subscriber: Downstream)
    where Downstream.Input == Output, Downstream.Failure == ClientError {
        let discard = self.call.discard
        let driver = CallDriver(AnySubscriber(subscriber)) { event in
            if case .value(let value) = event { discard(value) }
        } work: { [call] report throws(ClientError) in
            let delegate = ProgressDelegate(besides: call.delegate) { progress, direction in
                report(direction == .sent ? .sent(progress) : .received(progress), direction)
            }
            return .value(try await call.work(delegate))
        }
        CallSubscription(driver).attach(to: subscriber)
    }
}
