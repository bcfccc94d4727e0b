// SPDX-License-Identifier: Apache-2.0
import NIOCore
import TernConnections
import TernErrors
import TernTransport

extension ResponseBody {
    private static let finishingTime = Duration.seconds(1)

    private static let maximumFinishingByteCount = 64 << 10

    /// Reads the rest of a response in the background, for the next use of its connection; a long or slow rest ends the connection.
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
