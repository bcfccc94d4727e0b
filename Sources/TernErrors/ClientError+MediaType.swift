// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

extension ClientError.Context {
    private static let maximumMediaTypeByteCount = 64

    /// The media type in lower case and without parameters; `nil` if it is missing, malformed, too long or JSON.
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

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}

extension DecodingFailure {
    /// Explains why a whole body is malformed, such as the HTML page of a hotel's proxy.
    func mediaType(_ context: ClientError.Context) -> String? {
        guard self.position == nil, self.path.isEmpty else { return nil }
        return switch self.reason {
        case .corrupted, .other: context.mediaTypeOtherThanJSON
        default: nil
        }
    }
}
