// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes
@_spi(CrossModuleInlining) package import TernFields

extension Response {
    /// The head of a final response, in a form that is the same for all versions of HTTP.
    package struct Head: Sendable {
        private enum Fields: Sendable {
            /// The fields as the server sent them: bytes, from which strings are created on demand. The bytes also
            /// contain the reason phrase.
            case received(FieldSection)
            /// The fields that this process created, for example in an interceptor.
            case made(HTTPFields, reasonPhrase: String)
        }

        /// The status code, from 100 to 999.
        package let statusCode: Int
        /// The version of HTTP that the server used.
        package let version: HTTPVersion
        /// The length of the content in bytes, as announced by `Content-Length`; `nil` if the head announces no length.
        package let contentLength: Int64?
        /// The fields of the head that a client acts on, such as `Location`, as a set.
        package let noticedFields: NoticedFields
        /// The transfer codings of the received body, apart from `chunked`; only HTTP/1 has them.
        package let transferCodings: TransferCodings

        private let fields: Fields

        /// Creates the head of a response that a server sent.
        ///
        /// - Parameters:
        ///   - statusCode: The status code, from 100 to 999.
        ///   - version: The version of HTTP.
        ///   - contentLength: The announced length in bytes; `nil` if the head announces no length.
        ///   - noticedFields: The fields of the head that a client acts on, such as `Location`, as a set.
        ///   - transferCodings: The transfer codings of the body, apart from `chunked`. Defaults to none.
        ///   - fields: The fields, with the reason phrase as the prefix.
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

        /// Creates the head of a response that no server sent, such as the response of an interceptor.
        ///
        /// - Parameters:
        ///   - status: The status. Control characters in its reason phrase become spaces.
        ///   - fields: The fields. The client treats them like received fields.
        ///   - version: The version of HTTP. Defaults to HTTP/1.1.
        package init(_ status: HTTPResponse.Status, _ fields: HTTPFields, _ version: HTTPVersion = .http11) {
            self.statusCode = status.code
            self.version = version
            // RFC 9112 §6.3: "the Transfer-Encoding overrides the Content-Length".
            self.contentLength = fields.contains(.transferEncoding) ? nil : Self.length(fields[.contentLength])
            self.noticedFields = NoticedFields(fields)
            self.transferCodings = TransferCodings()
            self.fields = .made(fields, reasonPhrase: Self.line(status.reasonPhrase))
        }

        /// The status, with its reason phrase.
        package var status: HTTPResponse.Status {
            let reasonPhrase =
                switch self.fields {
                case .received(let section): section.prefix
                case .made(_, let reasonPhrase): reasonPhrase
                }
            return HTTPResponse.Status(code: self.statusCode, reasonPhrase: reasonPhrase)
        }

        /// The fields that this process created; `nil` for received fields, which do not exist as `HTTPFields` yet.
        var madeFields: HTTPFields? {
            if case .made(let fields, _) = self.fields { fields } else { nil }
        }

        /// Returns the fields, with a string for each value.
        func makeHTTPFields() -> HTTPFields {
            switch self.fields {
            case .received(let section): section.makeHTTPFields()
            case .made(let fields, _): fields
            }
        }

        /// The first value of a field; `nil` if the field is missing.
        package subscript(_ name: HTTPField.Name) -> String? {
            switch self.fields {
            case .received(let section): section[name]
            case .made(let fields, _): fields[fields: name].first?.value
            }
        }

        /// Returns the status and the fields as a value of swift-http-types.
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
