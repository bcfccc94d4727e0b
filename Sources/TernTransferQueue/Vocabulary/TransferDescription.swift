// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import Tern
public import TernFoundation
import TernValues

/// The description of a transfer: a request without secrets, and a file.
///
/// The queue stores the description on the disk, so it must not contain secrets: ``TransferQueue/add(_:)`` refuses a user name or a
/// password in the URL, the fields `Authorization`, `Proxy-Authorization` and `Cookie`, and fields with the `indexingStrategy`
/// `disallow`. Before an attempt that may send a request, the queue asks its delegate for the request. The client answers
/// challenges as in any other call.
///
/// The query of the URL is stored, in a file that only its owner can read (mode 0600). If the query has a signature, store the URL
/// without it, and let ``TransferQueueDelegate/transfer(_:willStartWith:)`` add a new one.
public struct TransferDescription: Hashable, Sendable {
    /// The direction of a transfer, with the parameters of that direction.
    @nonexhaustive
    public enum Kind: Hashable, Sendable {
        /// A download to the file, which must have the checksum, if there is one.
        case download(expecting: Checksum?)
        /// An upload of the file.
        case upload(UploadOptions)
    }

    /// The parameters of an upload, as in `UploadResumption`.
    public struct UploadOptions: Hashable, Sendable {
        /// The protocol by which the upload continues after an interruption.
        ///
        /// A server that does not know the default, the IETF's draft "Resumable Uploads for HTTP", processes the request like any
        /// other.
        public var uploadProtocol: UploadProtocol
        /// The maximum number of bytes that one request sends, at least 1, unless the server demands more; see
        /// `UploadResumption.maximumPartByteCount`.
        public var maximumPartByteCount: Int64?
        /// Whether an upload that could be continued begins again if its file has changed between attempts; otherwise it fails.
        public var restartsChangedFile: Bool
        /// Whether the server is allowed to process the request twice.
        ///
        /// With `nil`, the default, only an idempotent method allows it, such as `PUT` (RFC 9110 §9.2.2); with tus, also a request
        /// without content that creates the upload. If it is not allowed, and an upload breaks off after the server may have
        /// processed it, but before the server named a URL for it, the queue does not send it again by itself: the transfer fails
        /// with the reason ``TransferFailure/Reason/possiblyProcessed``.
        public var isRepeatable: Bool?
        /// The algorithm of the digest of the whole file that the client sends; `nil` for none; see `UploadResumption.digest`.
        public var digest: HashAlgorithm?
        /// The parameters of the tus protocol; no other protocol uses them.
        public var tus: TusOptions

        /// Creates parameters from the values of the properties.
        public init(
            uploadProtocol: UploadProtocol = .draft(.eight),
            maximumPartByteCount: Int64? = nil,
            restartsChangedFile: Bool = false,
            isRepeatable: Bool? = nil,
            digest: HashAlgorithm? = nil,
            tus: TusOptions = TusOptions()
        ) {
            self.uploadProtocol = uploadProtocol
            self.maximumPartByteCount = maximumPartByteCount.map { max(1, $0) }
            self.restartsChangedFile = restartsChangedFile
            self.isRepeatable = isRepeatable
            self.digest = digest
            self.tus = tus
        }
    }

    /// The direction, with its parameters.
    public let kind: Kind
    /// The URL; ``TransferQueue/add(_:)`` refuses one with another scheme than `http` or `https`, or with a user or a password.
    public let url: URL
    /// An absolute file URL: the file to upload, or the destination of a download, whose folder must exist when the transfer runs.
    public let file: URL
    /// The method: `GET` for a download; with tus, the client creates the upload with `POST`, whatever the method is.
    public let method: HTTPRequest.Method
    /// The fields of the request, which are stored, so they must not contain secrets.
    public var fields: HTTPFields = [:]
    /// The priority of the transfer in the queue.
    public var priority = TransferPriority.normal
    /// A text of the application, such as a title, of at most 1024 bytes; the queue stores it, and does not use it.
    public var label = ""

    init(_ kind: Kind, _ method: HTTPRequest.Method, _ url: URL, _ file: URL) {
        self.kind = kind
        self.method = method
        self.url = url
        self.file = file
    }

    /// Describes a download.
    ///
    /// - Parameters:
    ///   - url: An absolute `http` or `https` URL.
    ///   - destination: An absolute file URL. The complete file, which only its owner can read (mode 0600), replaces a file there
    ///     in one step.
    ///   - checksum: The hash that the file must have. Without one, the client usually checks a SHA-2 hash that the server sends.
    /// - Returns: The description.
    public static func download(
        from url: URL,
        to destination: URL,
        expecting checksum: Checksum? = nil
    ) -> TransferDescription {
        TransferDescription(.download(expecting: checksum), .get, url, destination)
    }

    /// Describes an upload.
    ///
    /// - Parameters:
    ///   - url: An absolute `http` or `https` URL.
    ///   - file: An absolute file URL of a regular file. The file must not change until the upload is complete.
    ///   - method: The method. It must allow a body.
    ///   - options: The protocol and its parameters.
    /// - Returns: The description.
    public static func upload(
        to url: URL,
        fromFile file: URL,
        method: HTTPRequest.Method = .post,
        options: UploadOptions = UploadOptions()
    ) -> TransferDescription {
        TransferDescription(.upload(options), method, url, file)
    }
}

extension TransferDescription: CustomStringConvertible, CustomReflectable, Described, PartlyShown {
    /// Safe to log: it contains no query and no field.
    package var wording: String { Request(self.method, self.url).description }

    package var shownParts: KeyValuePairs<String, Any> {
        ["request": self.wording, "file": self.file, "priority": self.priority, "label": self.label]
    }
}
