// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import Tern
public import TernFoundation
import TernValues

/// The description of a transfer: a request without secrets, and a file.
///
/// ```swift
/// var model = TransferDescription.download(from: url, to: file, expecting: checksum)
/// model.priority = .high
/// let id = try await queue.add(model)
/// ```
///
/// The queue stores the description on the disk, so it must not contain secrets. ``TransferQueue/add(_:)`` refuses a
/// user name or a password in the URL, and the fields `Authorization`, `Proxy-Authorization` and `Cookie`. The queue
/// asks its delegate for the request each time the transfer starts, and the client answers challenges as in any
/// other call.
///
/// The query of the URL is stored, in a file that only its owner can read (mode 0600). If the query is a signature,
/// store the URL without it, and let ``TransferQueueDelegate/transfer(_:willStartWith:)`` add a new one.
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
        /// Defaults to interop version 8 of the IETF's draft "Resumable Uploads for HTTP". A server that does not know
        /// it processes the request like any other.
        public var uploadProtocol: UploadProtocol
        /// The maximum number of bytes that one request sends.
        ///
        /// Defaults to `nil`, for no limit; see `UploadResumption.maximumPartByteCount`.
        public var maximumPartByteCount: Int64?
        /// Whether the upload begins again if the file has changed since it began.
        ///
        /// Defaults to `false`: the transfer fails.
        public var restartsChangedFile: Bool
        /// Whether the server is allowed to process the request twice.
        ///
        /// Defaults to `nil`: only if the method is idempotent, such as `PUT` (RFC 9110 §9.2.2). An upload may break
        /// off before the server has named a URL for it. If the server may then have processed the request, and is not
        /// allowed to process it twice, the queue does not send it again. After a permanent error, the transfer fails
        /// with the reason of that error. Otherwise it fails with ``TransferFailure/Reason/possiblyProcessed``. With
        /// tus, the queue may repeat the request that creates the upload if that request has no content, unless this
        /// value is `false`.
        public var isRepeatable: Bool?
        /// The algorithm of the digest of the whole file that the server gets; see `UploadResumption.digest`.
        ///
        /// Defaults to `nil`: the server gets no digest.
        public var digest: HashAlgorithm?
        /// The parameters of the tus protocol; no other protocol uses them.
        public var tus: TusOptions

        /// Creates parameters.
        ///
        /// - Parameters:
        ///   - uploadProtocol: The protocol. Defaults to interop version 8 of the IETF's draft.
        ///   - maximumPartByteCount: The maximum number of bytes that one request sends. A value below 1 has the effect
        ///     of 1. Defaults to `nil`.
        ///   - restartsChangedFile: Whether the upload begins again if the file has changed. Defaults to `false`.
        ///   - isRepeatable: Whether the server is allowed to process the request twice. Defaults to `nil`: the method
        ///     decides.
        ///   - digest: The algorithm of the digest of the whole file that the server gets. Defaults to `nil`.
        ///   - tus: The parameters of the tus protocol. Defaults to `TusOptions()`.
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
    /// The URL, with the scheme `http` or `https`, and without user name and password.
    public let url: URL
    /// The destination of a download, or the file to upload.
    ///
    /// An absolute file URL. The folder of a destination must exist when the transfer runs.
    public let file: URL
    /// The method: `GET` for a download.
    ///
    /// A request of tus always has the method `POST`.
    public let method: HTTPRequest.Method
    /// The fields of the request.
    ///
    /// Defaults to none. They are stored, so they must not contain secrets.
    public var fields: HTTPFields = [:]
    /// The priority.
    ///
    /// Defaults to `.normal`.
    public var priority = TransferPriority.normal
    /// A text of the application, such as a title or its own identifier, of at most 1024 bytes.
    ///
    /// The queue stores it and uses it for nothing. Defaults to an empty string.
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
    ///   - destination: An absolute file URL. The complete file replaces a file there in one step, and only its owner
    ///     can read it (mode 0600).
    ///   - checksum: The hash that the file must have. Defaults to `nil`: the client checks the hash that the server
    ///     sends, if it sends one.
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
    ///   - method: The method. It must allow a body. Defaults to `POST`.
    ///   - options: The protocol and its parameters. Defaults to interop version 8 of the IETF's draft "Resumable
    ///     Uploads for HTTP".
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
    /// The method, the origin and the path.
    ///
    /// The text is safe to log: it contains no query and no field.
    package var wording: String { Request(self.method, self.url).description }

    package var shownParts: KeyValuePairs<String, Any> {
        ["request": self.wording, "file": self.file, "priority": self.priority, "label": self.label]
    }
}
