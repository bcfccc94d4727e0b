// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

extension HTTPField.Name {
    /// The number of bytes that the server has, or the offset of the content, in both protocols.
    package static let uploadOffset = Self.known("Upload-Offset")
    package static let uploadLength = Self.known("Upload-Length")
    package static let uploadComplete = Self.known("Upload-Complete")
    /// From interop versions before 5, and some responses of swift-nio-extras.
    package static let uploadIncomplete = Self.known("Upload-Incomplete")
    package static let uploadLimit = Self.known("Upload-Limit")
    package static let uploadDraftInteropVersion = Self.known("Upload-Draft-Interop-Version")
    package static let tusResumable = Self.known("Tus-Resumable")
    package static let tusMaxSize = Self.known("Tus-Max-Size")
    package static let uploadMetadata = Self.known("Upload-Metadata")
    package static let uploadChecksum = Self.known("Upload-Checksum")
    package static let uploadExpires = Self.known("Upload-Expires")

    private static func known(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) must be a valid field name") }
        return name
    }
}
