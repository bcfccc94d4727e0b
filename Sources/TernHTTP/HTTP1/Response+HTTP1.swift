// SPDX-License-Identifier: Apache-2.0
import TernHTTP1
import TernTransport

extension Response.Head {
    /// Creates the head of a response from a decoded head of HTTP/1.1, without copying its bytes.
    init(_ head: ResponseHead) {
        self.init(
            statusCode: head.statusCode,
            version: head.version,
            contentLength: head.contentLength,
            noticedFields: head.noticedFields,
            transferCodings: head.transferCodings,
            fields: head.fields
        )
    }
}

extension ResponseHead {
    var version: HTTPVersion { self.minorVersion == 0 ? .http10 : .http11 }
}
