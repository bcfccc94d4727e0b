// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernErrors
@_spi(CrossModuleInlining) import TernTransport

/// The body of a response over `URLSession`; discarding or releasing it before the end cancels the task.
final class SessionBodySource: ResponseBodySource {
    let length: Int64?

    private let exchange: SessionExchange
    private let turn = ReadTurn<Int64>(0)

    init(_ exchange: SessionExchange, length: Int64?) {
        self.exchange = exchange
        self.length = length
    }

    deinit { self.discard() }

    func next(atLeast byteCount: Int) async throws(ClientError) -> ByteBuffer? {
        let call = self.exchange.call
        guard let received = try self.turn.take(call) else { return nil }
        do throws(ClientError) {
            guard let bytes = try await self.exchange.read(atLeast: byteCount) else {
                self.turn.end()
                self.finish(received)
                return nil
            }
            let total = received + Int64(bytes.readableBytes)
            self.turn.giveBack(total)
            call.observer?.didReceive(total, of: self.length)
            return bytes
        } catch {
            let failure = self.turn.end() ? ClientError.bodyMisused(.discarded, call.context(.body)) : error
            call.observer?.didFail(failure)
            self.finish(received)
            throw failure
        }
    }

    func discard() {
        if let received = self.turn.discard() { return self.finish(received) }
        // A task that reads gets an error. After the end of the body, there is nothing to discard.
        self.exchange.leave()
    }

    private func finish(_ byteCount: Int64) {
        self.exchange.leave()
        self.exchange.call.observer?.didReach(.finished(bodyByteCount: byteCount))
    }
}
