// SPDX-License-Identifier: Apache-2.0

extension WebSocketLink {
    /// What the WebSocket of a link receives; nothing where there is none.
    struct Messages: AsyncSequence, Sendable {
        let link: WebSocketLink
        let socket: WebSocket?

        func makeAsyncIterator() -> Iterator { Iterator(link: self.link, messages: self.socket?.makeAsyncIterator()) }

        struct Iterator: AsyncIteratorProtocol {
            let link: WebSocketLink
            var messages: WebSocket.Iterator?

            mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(ClientError) -> WebSocketMessage? {
                do throws(ClientError) {
                    if let message = try await self.messages?.next(isolation: actor) { return message }
                } catch {
                    self.link.ended()
                    throw error
                }
                self.link.ended()
                return nil
            }
        }
    }
}
