// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
@_spi(CrossModuleInlining) package import TernFields

extension Response {
    /// The head of a response, in a form that is the same for all versions of HTTP.
    package struct Head: Sendable {
        private enum Fields: Sendable {
            /// The received lines, including the reason phrase of HTTP/1; strings are created on demand.
            case received(FieldSection)
            case made(HTTPFields, reasonPhrase: String)
        }

        package let statusCode: Int
        package let version: HTTPVersion
        package let contentLength: Int64?
        package let noticedFields: NoticedFields
        /// The transfer codings of the received body, apart from `chunked`; only HTTP/1 has them.
        package let transferCodings: TransferCodings

        private let fields: Fields

        package init(
            statusCode: Int,
            version: HTTPVersion,
            contentLength: Int64?,
            noticedFields: NoticedFields,
            transferCodings: TransferCodings = TransferCodings(),
            fields: FieldSection
        ) {
            self.transferCodings = transferCodings
            self.statusCode = statusCode
            self.version = version
            self.contentLength = contentLength
            self.noticedFields = noticedFields
            self.fields = .received(fields)
        }

        package init(_ status: HTTPResponse.Status, _ fields: HTTPFields, _ version: HTTPVersion = .http11) {
            self.statusCode = status.code
            self.version = version
            // RFC 9112 §6.3: "the Transfer-Encoding overrides the Content-Length".
            self.contentLength = fields.contains(.transferEncoding) ? nil : Self.length(fields[.contentLength])
            self.noticedFields = NoticedFields(fields)
            self.transferCodings = TransferCodings()
            self.fields = .made(fields, reasonPhrase: Self.line(status.reasonPhrase))
        }

        package var status: HTTPResponse.Status {
            let reasonPhrase =
                switch self.fields {
                case .received(let section): section.prefix
                case .made(_, let reasonPhrase): reasonPhrase
                }
            return HTTPResponse.Status(code: self.statusCode, reasonPhrase: reasonPhrase)
        }

        var madeFields: HTTPFields? {
            if case .made(let fields, _) = self.fields { fields } else { nil }
        }

        func makeHTTPFields() -> HTTPFields {
            switch self.fields {
            case .received(let section): section.makeHTTPFields()
            case .made(let fields, _): fields
            }
        }

        package subscript(_ name: HTTPField.Name) -> String? {
            switch self.fields {
            case .received(let section): section[name]
            case .made(let fields, _): fields[fields: name].first?.value
            }
        }

        package func makeHTTPResponse() -> HTTPResponse {
            HTTPResponse(status: self.status, headerFields: self.makeHTTPFields())
        }

        /// The number of bytes that the fields take as lines, without compression; 0 if no server sent them.
        package var fieldByteCount: Int {
            switch self.fields {
            case .received(let section): section.byteCount
            case .made: 0
            }
        }

        /// Returns the length that a text states: "Content-Length = 1*DIGIT" (RFC 9110 §8.6).
        private static func length(_ text: String?) -> Int64? {
            guard let text, !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
                return nil
            }
            return Int64(text)
        }

        /// Replaces control characters with spaces, because a line break in a reason phrase would end the status line.
        private static func line(_ text: String) -> String {
            let isControl: (UInt8) -> Bool = { $0 < 0x20 || $0 == 0x7F }
            guard text.utf8.contains(where: isControl) else { return text }
            return String(decoding: text.utf8.map { isControl($0) ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
        }
    }
}
