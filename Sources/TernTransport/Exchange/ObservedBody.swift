// SPDX-License-Identifier: Apache-2.0
package import NIOCore
package import TernErrors

/// Observes how the reading of a body ends.
package protocol BodyObserver: Sendable {
    /// Called when the body was read to its end (`nil`), or failed; the reader waits for this method.
    func didEnd(_ error: ClientError?) async
    /// Called when the body was discarded or released before its end, while no task was reading.
    func didDiscard()
}

/// A body that reports its end to an observer, once.
package final class ObservedBody<Observer: BodyObserver>: ResponseBodySource {
    package let length: Int64?

    private let base: ResponseBody
    private let observer: Observer
    private let turn: ReadTurn<ResponseBody.Reader>

    package init(_ base: ResponseBody, _ observer: Observer) {
        self.length = base.length
        self.base = base
        self.observer = observer
        self.turn = ReadTurn(base.makeReader())
    }

    deinit { self.discard() }

    package func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        guard var reader = try self.turn.take(ClientError.Context(phase: .body)) else { return nil }
        do throws(ClientError) {
            guard let bytes = try await reader.next(atLeast: byteCount) else {
                self.turn.end()
                await self.observer.didEnd(nil)
                return nil
            }
            self.turn.giveBack(reader)
            return bytes
        } catch {
            self.turn.end()
            await self.observer.didEnd(error)
            throw error
        }
    }

    package func discard() {
        let isUnread = self.turn.discard() != nil
        // Discard the base first, so that its observers are called first. A pending read fails, and calls `didEnd` itself.
        self.base.discard()
        if isUnread { self.observer.didDiscard() }
    }
}
