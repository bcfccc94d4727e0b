// SPDX-License-Identifier: Apache-2.0

/// A photo: bytes that look random, the same every time, with an entity tag.
public struct DemoPhoto: Sendable {
    /// The bytes.
    public let bytes: [UInt8]
    /// What the server says of them, so that a cache can ask whether they are still the same.
    public let entityTag: String

    /// Makes a photo.
    ///
    /// - Parameters:
    ///   - byteCount: how long it is.
    ///   - seed: another makes another photo; not zero.
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

    /// The photo, or that it has not changed (RFC 9110 §13.1.2).
    ///
    /// - Parameters:
    ///   - request: may bring the entity tag of a photo that the client has.
    ///   - cacheControl: how long the client may keep it; it has to ask each time by default.
    /// - Returns: 200 or 304.
    public func answer(to request: DemoRequest, cacheControl: String = "no-cache") -> DemoAnswer {
        let fields = [("etag", self.entityTag), ("cache-control", cacheControl)]
        guard request["if-none-match"] != self.entityTag else { return DemoAnswer(status: 304, fields: fields) }
        return DemoAnswer(type: "image/x-demo", fields: fields, body: self.bytes)
    }
}
