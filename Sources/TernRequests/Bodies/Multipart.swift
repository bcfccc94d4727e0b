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
/// The client reads files while it sends the body, a few buffers at a time. It still knows the total length before it
/// starts. A form without files is encoded as soon as it becomes the body of a request.
public struct Multipart: Sendable {
    /// A field or a file.
    package struct Part: Hashable, Sendable {
        /// The name of the form field.
        package var name: String
        /// The name of the file; `nil` for a plain field.
        package var filename: String?
        /// The media type; `nil` means plain text (RFC 7578 §4.4).
        package var contentType: String?
        /// The content.
        package var content: Content

        /// The source of a part's content.
        package enum Content: Hashable, Sendable {
            /// Bytes in memory.
            case data(Data)
            /// A regular file.
            ///
            /// The client reads the file's length when it sends the request. The file must not change until it has been
            /// sent.
            case file(URL)
        }

        /// Creates a part.
        ///
        /// - Parameters:
        ///   - name: The name of the form field.
        ///   - data: The content.
        ///   - filename: The name of the file. Defaults to `nil`.
        ///   - contentType: The media type. Defaults to `nil`.
        package init(name: String, data: Data, filename: String? = nil, contentType: String? = nil) {
            self.name = name
            self.filename = filename
            self.contentType = contentType
            self.content = .data(data)
        }

        /// Creates a part from a file.
        ///
        /// - Parameters:
        ///   - name: The name of the form field.
        ///   - file: The URL of a regular file.
        ///   - filename: The name to send for the file. Defaults to the last component of its path.
        ///   - contentType: The media type. Defaults to `nil`.
        package init(name: String, file: URL, filename: String? = nil, contentType: String? = nil) {
            self.name = name
            self.filename = filename ?? file.lastPathComponent
            self.contentType = contentType
            self.content = .file(file)
        }
    }

    /// The parts, in the order in which they are sent.
    package var parts: [Part] = []
    /// The text that separates the parts.
    package let boundary: String

    /// Creates a form without parts and with a random boundary.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    /// Creates a form without parts, with a boundary from a generator, so that a test can predict the boundary.
    ///
    /// - Parameter generator: A generator that provides 128 bits.
    package init(using generator: inout some RandomNumberGenerator) {
        self.boundary = "tern-\(Hexadecimal.random128(using: &generator))"
    }

    /// Adds a plain field.
    ///
    /// - Parameters:
    ///   - name: The name of the form field.
    ///   - value: The value, sent as UTF-8.
    ///   - contentType: The media type, such as `application/json`. Defaults to `nil`, which sends no media type and
    ///     means plain text (RFC 7578 §4.4).
    /// - Returns: A changed copy.
    public func field(_ name: String, _ value: String, contentType: String? = nil) -> Multipart {
        self.part(Part(name: name, data: Data(value.utf8), contentType: contentType))
    }

    /// Adds a file from memory.
    ///
    /// - Parameters:
    ///   - name: The name of the form field.
    ///   - data: The content of the file.
    ///   - filename: The name of the file.
    ///   - contentType: The media type of the file. Defaults to `application/octet-stream` (RFC 7578 §4.4).
    /// - Returns: A changed copy.
    public func file(
        _ name: String,
        _ data: Data,
        filename: String,
        contentType: String = "application/octet-stream"
    ) -> Multipart {
        self.part(Part(name: name, data: data, filename: filename, contentType: contentType))
    }

    /// Adds a file that the client reads while it sends the request.
    ///
    /// A request with the file can be sent again, for example after a redirect. If the file is missing, or changes its
    /// length during the call, the call throws `ClientError.uploadFailed`.
    ///
    /// - Parameters:
    ///   - name: The name of the form field.
    ///   - url: The URL of a regular file.
    ///   - filename: The name to send for the file. Defaults to the last component of its path.
    ///   - contentType: The media type of the file. Defaults to `application/octet-stream` (RFC 7578 §4.4).
    /// - Returns: A changed copy.
    public func file(
        _ name: String,
        _ url: URL,
        filename: String? = nil,
        contentType: String = "application/octet-stream"
    ) -> Multipart {
        self.part(Part(name: name, file: url, filename: filename, contentType: contentType))
    }

    /// Whether at least one part is a file, so that the body is not entirely in memory.
    public var hasFiles: Bool {
        self.parts.contains { if case .file = $0.content { true } else { false } }
    }

    /// Adds a part.
    ///
    /// - Parameter part: The part.
    /// - Returns: A changed copy.
    package func part(_ part: Part) -> Multipart {
        var copy = self
        copy.parts.append(part)
        return copy
    }
}
