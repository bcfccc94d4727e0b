// SPDX-License-Identifier: Apache-2.0
import TernHTTP1
import TernTransport

extension Response.Head {
    /// The head of a response that came by HTTP/1.1, without a copy of its bytes.
    init(_ head: ResponseHead) {
        self.init(
            statusCode: head.statusCode,
            version: head.version,
            contentLength: head.contentLength,
            noticedFields: head.noticedFields,
            fields: head.fields
        )
    }
}

extension ResponseHead {
    /// The version of HTTP that the server spoke.
    var version: HTTPVersion { self.minorVersion == 0 ? .http10 : .http11 }
}
