// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Tern
import TernValidation

extension CallReport {
    /// The maximum length of the excerpt of a body, in bytes: about as much text as fills a terminal.
    private static let maximumExcerptByteCount = 2000

    /// Describes a response that is not the expected stream.
    ///
    /// Adds the beginning of the body if people can read it: JSON or plain text.
    ///
    /// - Parameters:
    ///   - failure: The rule that the response broke.
    ///   - head: The head of the response.
    ///   - expectedType: The expected media type. Defaults to that of server-sent events.
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
