// SPDX-License-Identifier: Apache-2.0
public import TernFoundation
public import TernTransport
public import TernValues

/// The result of a download that may have continued an earlier one.
public struct ResumedDownload: Sendable {
    /// The location of the complete file: the destination that the caller passed.
    public let location: URL
    /// The length of the file in bytes.
    public let byteCount: Int64
    /// The number of bytes that an earlier call had stored and this call did not request again.
    public let resumedByteCount: Int64
    /// The reason that this call dropped bytes that had arrived before, and began again; `nil` if it did not.
    public let restart: DownloadRestart?
    /// The maximum number of responses whose content this call received at the same time; 0 if it received none.
    public let concurrentRequestCount: Int
    /// The last response whose content the call stored, which may be 206 (Partial Content); `nil` if no byte was missing.
    public let response: Response?
}

/// The reason that a download began again at the first byte.
@nonexhaustive
public enum DownloadRestart: Hashable, Sendable {
    /// The resource has changed: its validator, its length or its digest differs.
    case resourceChanged
    /// The server answered a request for a part with the whole resource.
    case rangesNotSupported
    /// The interrupted response had no strong validator, or another obstacle such as a content coding or `Accept-Ranges: none`.
    case noValidator
    /// The URL has another origin or path, and the only validator is a date, which different files may share.
    case otherURL
    /// The record beside the partial file is missing or damaged, or a later version of Tern wrote it.
    case recordUnusable
    /// The partial file is missing, or shorter than its record says.
    case partialFileChanged
    /// The answer to a request for a part could not be used, for example because it broke a rule about ranges.
    case invalidPart
}

extension DownloadRestart: CustomStringConvertible, Described {
    package var wording: String {
        switch self {
        case .resourceChanged: "the resource has changed"
        case .rangesNotSupported: "the server does not send parts of the resource"
        case .noValidator: "the server has not identified the version of the resource"
        case .otherURL: "the URL differs, and the server identifies the resource only by a date"
        case .recordUnusable: "the record of the download is missing or damaged, or a later version of Tern wrote it"
        case .partialFileChanged: "the partial file is missing or was changed"
        case .invalidPart: "the server sent an invalid part"
        }
    }
}
