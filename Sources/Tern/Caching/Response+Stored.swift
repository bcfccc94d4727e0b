// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import NIOCore
import TernCaching
import TernHTTP1
import TernTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Response {
    /// A response from the cache, read as if it had come from the network, by the same rules.
    ///
    /// - Returns: `nil` if it could not have come from there.
    init?(
        _ stored: StoredResponse,
        fields: HTTPFields,
        url: URL,
        _ cacheStatus: CacheStatus
    ) {
        var bytes = ByteBuffer()
        let reason = stored.reasonPhrase.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ? stored.reasonPhrase : ""
        bytes.writeString("HTTP/1.1 \(stored.statusCode) \(reason)\r\n")
        for field in fields {
            bytes.writeString("\(field.name.rawName): ")
            field.withUnsafeBytesOfValue { _ = bytes.writeBytes($0) }
            bytes.writeString("\r\n")
        }
        bytes.writeString("\r\n")
        // It was within the limits of the client that stored it.
        var limits = ResponseDecoder.Limits()
        limits.maximumHeadByteCount = max(limits.maximumHeadByteCount, bytes.readableBytes)
        limits.maximumFieldCount = max(limits.maximumFieldCount, fields.count)
        var decoder = ResponseDecoder(method: .get, limits: limits)
        guard let step = try? decoder.next(bytes.readableBytesSpan), case .head(let head)? = step.event else {
            return nil
        }
        self.init(url: url, head: head, cacheStatus: cacheStatus)
    }
}
