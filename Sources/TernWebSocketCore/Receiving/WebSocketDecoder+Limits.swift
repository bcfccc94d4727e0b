// SPDX-License-Identifier: Apache-2.0

extension WebSocketDecoder {
    /// How much is accepted, so that a server cannot fill memory (RFC 6455 §10.4).
    public struct Limits: Hashable, Sendable {
        /// The longest message, in bytes; of a compressed one what it inflates to; 16 MiB by default.
        ///
        /// Kept while a message comes, not after. Precedents: URLSession and websockets for Python 1 MiB, aiohttp 4 MiB,
        /// tungstenite 64 MiB, ws for Node.js 100 MiB.
        public var maximumMessageByteCount: Int = 16 << 20

        /// The longest payload of one data frame, in bytes as they are on the wire; 16 MiB by default.
        ///
        /// Frames are not gathered, so this costs no memory; it ends a connection early whose peer is out of step.
        /// Precedent: tungstenite 16 MiB.
        public var maximumFrameByteCount: Int = 16 << 20

        /// Creates the default limits; change what must differ.
        public init() {}
    }
}
