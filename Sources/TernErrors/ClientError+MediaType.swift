// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

extension ClientError.Context {
    /// The maximum number of bytes of a media type that a description shows, because the server chose the type.
    private static let maximumMediaTypeByteCount = 64

    /// The media type of the response, in lower case and without parameters, if it is not a type of JSON.
    ///
    /// `nil` if there is no response, or if its `Content-Type` is missing, malformed or too long.
    var mediaTypeOtherThanJSON: String? {
        // "media-type = type "/" subtype parameters" (RFC 9110 §8.3.1)
        guard let field = self.response?.headerFields[.contentType] else { return nil }
        let bytes = Array(field.utf8.prefix { $0 != UInt8(ascii: ";") }.prefix(Self.maximumMediaTypeByteCount + 8))
        let type = String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\t" }
        guard type.count == 1, let essence = type.first?.lowercased() else { return nil }
        let names = essence.split(separator: "/", omittingEmptySubsequences: false)
        guard essence.utf8.count <= Self.maximumMediaTypeByteCount, names.count == 2,
            names.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isTokenByte) })
        else { return nil }
        let isJSON = names[1] == "json" || names[1].hasSuffix("+json")
        return isJSON ? nil : essence
    }

    /// Whether a token may contain the byte (RFC 9110 §5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

extension DecodingFailure {
    /// Returns the media type of the response, if it explains why the whole body is malformed.
    ///
    /// The page of a hotel's proxy, for example, is HTML. If a value inside the body is wrong, the body is not a page,
    /// and the type explains nothing.
    func mediaType(_ context: ClientError.Context) -> String? {
        guard self.position == nil, self.path.isEmpty else { return nil }
        return switch self.reason {
        case .corrupted, .other: context.mediaTypeOtherThanJSON
        default: nil
        }
    }
}
