// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernTransport
public import TernValues

/// The result of an upload that may have continued an earlier one.
public struct ResumedUpload: Sendable {
    /// The body of the answer; empty if ``response`` is `nil`.
    public let data: Data
    /// The answer of the server; `nil` if the server has the whole file, but the answer is lost, for example with the connection.
    public let response: Response?
    /// The length of the file in bytes.
    public let byteCount: Int64
    /// The number of bytes that the server had when this call continued an earlier upload; 0 for a new upload.
    public let resumedByteCount: Int64
    /// Whether the server offered to continue the upload; if not, it processed the request like any other.
    public let isResumable: Bool
    /// The reason that this call began a new upload in place of an earlier one; `nil` if it did not.
    public let restart: UploadRestart?
}

/// The reason that a call began a new upload in place of an earlier one.
@nonexhaustive
public enum UploadRestart: Hashable, Sendable {
    /// The record is damaged, or a later version of Tern wrote it.
    case recordUnusable
    /// The record is about an upload to another URL.
    case otherURL
    /// The record is about an upload by another protocol.
    case otherProtocol
    /// The file has changed since the earlier call.
    case fileChanged
    /// The server keeps an upload for a limited time, which is over.
    case expired
    /// The server no longer has the upload.
    case uploadLost
}

extension UploadRestart: CustomStringConvertible, Described {
    package var wording: String {
        switch self {
        case .recordUnusable: "the record of the upload is damaged, or a later version of Tern wrote it"
        case .otherURL: "the record belongs to an upload to another URL"
        case .otherProtocol: "the record belongs to an upload by another protocol"
        case .fileChanged: "the file has changed"
        case .expired: "the server keeps an upload for a limited time, which is over"
        case .uploadLost: "the server no longer has the upload"
        }
    }
}
