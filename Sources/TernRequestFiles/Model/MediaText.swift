// SPDX-License-Identifier: Apache-2.0

/// A kind of text, which determines how a value in the text is escaped.
package enum MediaText: Hashable, Sendable {
    case plain
    /// XML or HTML; in a value, `&`, `<`, `>`, `"` and `'` are escaped.
    case markup

    /// Creates the kind for a media type without parameters, in lower case; `nil` if no kind fits the type.
    package init?(_ type: String) {
        if type.hasSuffix("/xml") || type.hasSuffix("+xml") || type == "text/html" {
            self = .markup
        } else if type.hasPrefix("text/"), !["text/javascript", "text/css"].contains(type) {
            self = .plain
        } else {
            return nil
        }
    }

    /// Creates the kind for the value of the field `Content-Type`.
    package init?(ofContentType field: String) { self.init(Self.mediaType(inContentType: field)) }

    /// Returns the media type in the value of the field `Content-Type`, without parameters and in lower case.
    static func mediaType(inContentType field: String) -> String {
        field.lowercased().prefix { $0 != ";" }.split(separator: " ").joined()
    }

    static func isJSON(_ type: String) -> Bool { type == "application/json" || type.hasSuffix("+json") }

    /// Returns a value as it may stand in the text, also between quotation marks.
    package func escaped(_ value: String) -> String {
        guard self == .markup else { return value }
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

extension RequestDefinition {
    /// The kind of a text body; the media type itself is never a variable if the body has variables, but a parameter may be one.
    package var mediaText: MediaText {
        if let contentType { return MediaText(ofContentType: contentType) ?? .plain }
        let field = self.fields.first(where: \.isContentType)?.value
        guard case .text(let type)? = field?.pieces.first else { return .plain }
        return MediaText(ofContentType: type) ?? .plain
    }
}
