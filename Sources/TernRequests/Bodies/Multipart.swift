// SPDX-License-Identifier: Apache-2.0
public import TernFoundation

/// Fields and files in one body, in the format of HTML forms with files (RFC 7578).
///
/// ```swift
/// let form = Multipart()
///     .field("title", "Sunset")
///     .file("photo", photoURL, contentType: "image/jpeg")
/// ```
///
/// The client measures the files before it sends the body, and reads them while it sends it, a few buffers at a time; with
/// `URLSession` on Linux, it reads all first. ``Request/body(multipart:)`` encodes a form without files at once.
public struct Multipart: Sendable {
    package struct Part: Hashable, Sendable {
        package var name: String
        package var filename: String?
        /// The media type; `nil` means plain text (RFC 7578 §4.4).
        package var contentType: String?
        package var content: Content

        package enum Content: Hashable, Sendable {
            case data(Data)
            /// A regular file, which must not change until it has been sent.
            case file(URL)
        }

        package init(name: String, data: Data, filename: String? = nil, contentType: String? = nil) {
            self.name = name
            self.filename = filename
            self.contentType = contentType
            self.content = .data(data)
        }

        package init(name: String, file: URL, filename: String? = nil, contentType: String? = nil) {
            self.name = name
            self.filename = filename ?? file.lastPathComponent
            self.contentType = contentType
            self.content = .file(file)
        }
    }

    package var parts: [Part] = []
    package let boundary: String

    /// Creates a form without parts and with a random boundary.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    package init(using generator: inout some RandomNumberGenerator) {
        self.boundary = "tern-\(Hexadecimal.random128(using: &generator))"
    }

    /// Adds a plain field, sent as UTF-8; without a media type, it is plain text (RFC 7578 §4.4).
    public func field(_ name: String, _ value: String, contentType: String? = nil) -> Multipart {
        self.part(Part(name: name, data: Data(value.utf8), contentType: contentType))
    }

    /// Adds a file from memory.
    public func file(
        _ name: String,
        _ data: Data,
        filename: String,
        contentType: String = "application/octet-stream"
    ) -> Multipart {
        self.part(Part(name: name, data: data, filename: filename, contentType: contentType))
    }

    /// Adds a file that the client reads when it sends the request.
    ///
    /// A request with the file can be sent again, for example after a redirect. If the file is missing, or changes its length
    /// while it is sent, the upload fails with `ClientError.uploadFailed`. The name to send defaults to the last component of the
    /// file's path.
    public func file(
        _ name: String,
        _ url: URL,
        filename: String? = nil,
        contentType: String = "application/octet-stream"
    ) -> Multipart {
        self.part(Part(name: name, file: url, filename: filename, contentType: contentType))
    }

    /// Whether the client must read at least one part from a file.
    public var hasFiles: Bool {
        self.parts.contains { if case .file = $0.content { true } else { false } }
    }

    package func part(_ part: Part) -> Multipart {
        var copy = self
        copy.parts.append(part)
        return copy
    }
}
