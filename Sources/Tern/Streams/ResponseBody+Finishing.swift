// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections
import TernErrors
import TernTransport

extension ResponseBody {
    /// The time that the server has to end a response whose last event has arrived.
    private static let finishingTime = Duration.seconds(1)

    /// The number of bytes that the server may still send in that time.
    private static let maximumFinishingByteCount = 64 << 10

    /// Reads the rest of a response that the caller does not need, without making the caller wait.
    ///
    /// Most servers end the response right after its last event, and then the connection can be reused. If the
    /// server keeps the response open, the client closes the connection or, with HTTP/2, ends the stream.
    func finish(on clock: any TransportClock) {
        let end = clock.now.advanced(by: Self.finishingTime)
        Task {
            let timer = clock.schedule(at: end) { self.discard() }
            var reader = self.makeReader()
            var byteCount = 0
            do throws(ClientError) {
                while byteCount <= Self.maximumFinishingByteCount, let bytes = try await reader.next() {
                    byteCount += bytes.readableBytes
                }
            } catch {
                // Nothing is lost: the caller has every event.
            }
            timer.cancel()
            self.discard()
        }
    }
}
