// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Tern
import TernErrors
import TernValidation

extension CallReport {
    /// In bytes: about as much text as fills a terminal.
    private static let maximumExcerptByteCount = 2000

    /// Describes a response that is not the expected stream, with the beginning of a body of JSON or plain text.
    mutating func refuse(
        _ failure: ValidationFailure,
        _ head: HTTPResponse?,
        expecting expectedType: String = "text/event-stream"
    ) {
        switch failure.rule {
        case .status:
            if let status = head?.status { self.fail(status) }
        case .contentType(let found):
            let relation = found == nil ? "but must be" : "not"
            self.message = "\(failure), \(relation) \(expectedType); 'tern-cli lines' prints such a response"
        default: break
        }
        guard let type = head.flatMap({ MediaType(of: $0.headerFields) })?.essence,
            type.hasSuffix("json") || type == "text/plain"
        else { return }
        let text = String(decoding: failure.body.prefix(Self.maximumExcerptByteCount), as: UTF8.self)
        let isCut = !failure.isBodyComplete || failure.body.count > Self.maximumExcerptByteCount
        self.body = isCut ? "\(text)…" : text
    }
}
