// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes

extension ResponseHead {
    /// Creates a head that no server sent.
    ///
    /// - Parameters:
    ///   - statusCode: The status code, from 100 to 999.
    ///   - reasonPhrase: The reason phrase; a control character in it becomes a space.
    ///   - fields: The fields. They say what they would say in a head that was received.
    ///   - minorVersion: The minor HTTP version. Defaults to 1.
    package init(statusCode: Int, reasonPhrase: String, fields: HTTPFields, minorVersion: Int = 1) {
        self.statusCode = statusCode
        self.minorVersion = minorVersion
        self.fields = FieldSection(reasonPhrase: reasonPhrase, fields)
        self.noticedFields = NoticedFields(fields)
        // RFC 9112 §6.3: "the Transfer-Encoding overrides the Content-Length".
        self.contentLength = fields.contains(.transferEncoding) ? nil : Self.length(fields[.contentLength])
        self.bodyLength = self.contentLength.map { .known($0) } ?? .untilClose
        self.keepsAlive = false
        self.isIrregular = false
    }

    /// The same head with other fields.
    ///
    /// - Parameter fields: The fields.
    /// - Returns: A changed copy.
    package func with(_ fields: HTTPFields) -> ResponseHead {
        ResponseHead(
            statusCode: self.statusCode,
            reasonPhrase: self.reasonPhrase,
            fields: fields,
            minorVersion: self.minorVersion
        )
    }

    /// "Content-Length = 1*DIGIT" (RFC 9110 §8.6).
    private static func length(_ text: String?) -> Int64? {
        guard let text, !text.isEmpty, text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            return nil
        }
        return Int64(text)
    }
}

extension NoticedFields {
    /// The fields that steer a client, of those that are there.
    fileprivate init(_ fields: HTTPFields) {
        let candidates: [(HTTPField.Name, NoticedFields)] = [
            (.location, .location), (.contentEncoding, .contentEncoding), (.setCookie, .setCookie),
            (.wwwAuthenticate, .wwwAuthenticate), (.proxyAuthenticate, .proxyAuthenticate), (.retryAfter, .retryAfter),
        ]
        self = []
        for (name, noticed) in candidates where fields.contains(name) { self.insert(noticed) }
    }
}

extension FieldSection {
    /// Writes fields as a server would send them, behind the reason phrase.
    fileprivate init(reasonPhrase: String, _ fields: HTTPFields) {
        var bytes = reasonPhrase.utf8.map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: " ") : $0 }
        bytes += "\r\n".utf8
        let start = bytes.count
        var hasControlCharacters = false
        for field in fields {
            bytes += field.name.rawName.utf8
            bytes += ": ".utf8
            field.withUnsafeBytesOfValue { value in
                bytes += value
                let isTidy = value.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
                if !isTidy { hasControlCharacters = true }
            }
            bytes += "\r\n".utf8
        }
        self.init(
            storage: bytes,
            start: start,
            count: fields.count,
            mayHoldControlCharacters: hasControlCharacters
        )
    }
}
