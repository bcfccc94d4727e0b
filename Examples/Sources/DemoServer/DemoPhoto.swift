// SPDX-License-Identifier: Apache-2.0

/// A photo of a demo: bytes that look random, but are the same in every run, with an entity tag.
public struct DemoPhoto: Sendable {
    public let bytes: [UInt8]
    /// The entity tag of the bytes, with which a cache can ask whether they have changed.
    public let entityTag: String

    /// Creates the photo of a seed, which must not be zero.
    public init(byteCount: Int, seed: UInt64 = 0x9E37_79B9_7F4A_7C15) {
        var state = seed
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount + 8)
        while bytes.count < byteCount {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: state >> shift)) }
        }
        bytes.removeLast(bytes.count - byteCount)
        self.bytes = bytes
        self.entityTag = "\"\(String(seed, radix: 16))-\(byteCount)\""
    }

    /// Returns a response with the photo, or a 304 if the client's copy is up to date (RFC 9110 §13.1.2).
    public func answer(to request: DemoRequest, cacheControl: String = "no-cache") -> DemoAnswer {
        let fields = [("etag", self.entityTag), ("cache-control", cacheControl)]
        guard request["if-none-match"] != self.entityTag else { return DemoAnswer(status: 304, fields: fields) }
        return DemoAnswer(type: "image/x-demo", fields: fields, body: self.bytes)
    }
}
