// SPDX-License-Identifier: Apache-2.0
package import HTTPTypes

/// The names of the fields of resumable uploads.
extension HTTPField.Name {
    /// The number of bytes that the server has, or the offset of the content (both protocols).
    package static let uploadOffset = Self.known("Upload-Offset")
    /// The length of the file (both protocols).
    package static let uploadLength = Self.known("Upload-Length")
    /// Whether the upload is complete (draft).
    package static let uploadComplete = Self.known("Upload-Complete")
    /// Whether the upload is not complete (interop versions before 5, and some responses of swift-nio-extras).
    package static let uploadIncomplete = Self.known("Upload-Incomplete")
    /// The limits of the server (draft).
    package static let uploadLimit = Self.known("Upload-Limit")
    /// The interop version (draft).
    package static let uploadDraftInteropVersion = Self.known("Upload-Draft-Interop-Version")
    /// The version of the tus protocol.
    package static let tusResumable = Self.known("Tus-Resumable")
    /// The maximum length of a file (tus).
    package static let tusMaxSize = Self.known("Tus-Max-Size")
    /// The metadata of a file (tus).
    package static let uploadMetadata = Self.known("Upload-Metadata")
    /// The hash of the content (tus).
    package static let uploadChecksum = Self.known("Upload-Checksum")
    /// The time when the server may delete the upload (tus).
    package static let uploadExpires = Self.known("Upload-Expires")

    private static func known(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) must be a valid field name") }
        return name
    }
}
