// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

extension ClientError.Context {
    private static let maximumMediaTypeByteCount = 64

    /// The media type of the response, without parameters; `nil` if it is missing, malformed, too long for a sentence, or JSON.
    var mediaTypeOtherThanJSON: String? {
        guard let fields = self.response?.headerFields, let type = MediaType(of: fields),
            type.essence.utf8.count <= Self.maximumMediaTypeByteCount
        else { return nil }
        return type.subtype == "json" || type.suffix == "json" ? nil : type.essence
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
