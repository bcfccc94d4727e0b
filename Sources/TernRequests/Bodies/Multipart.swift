// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Fields and files in one body, as an HTML form with files is sent (RFC 7578).
///
/// ```swift
/// let form = Multipart()
///     .field("title", "Sunset")
///     .file("photo", photoURL, contentType: "image/jpeg")
/// ```
///
/// Files are read while the body is sent, a few buffers at a time, and the whole length is known before. Parts in memory
/// are encoded at once.
public struct Multipart: Sendable {
    /// A field or a file.
    package struct Part: Hashable, Sendable {
        /// The name of the form's field.
        package var name: String
        /// The name of the file; `nil` for a plain field.
        package var filename: String?
        /// The media type; `nil` means plain text (RFC 7578 §4.4).
        package var contentType: String?
        /// The content.
        package var content: Content

        /// Where the content of a part comes from.
        package enum Content: Hashable, Sendable {
            /// Bytes in memory.
            case data(Data)
            /// A regular file. It is measured when the request is sent, and must not change until it was.
            case file(URL)
        }

        /// Creates a part.
        ///
        /// - Parameters:
        ///   - name: the name of the form's field.
        ///   - data: the content.
        ///   - filename: the name of the file; none by default.
        ///   - contentType: the media type; none by default.
        package init(name: String, data: Data, filename: String? = nil, contentType: String? = nil) {
            self.name = name
            self.filename = filename
            self.contentType = contentType
            self.content = .data(data)
        }

        /// Creates a part that is a file.
        ///
        /// - Parameters:
        ///   - name: the name of the form's field.
        ///   - file: the URL of a regular file.
        ///   - filename: what to call it; by default the last component of its path.
        ///   - contentType: the media type; none by default.
        package init(name: String, file: URL, filename: String? = nil, contentType: String? = nil) {
            self.name = name
            self.filename = filename ?? file.lastPathComponent
            self.contentType = contentType
            self.content = .file(file)
        }
    }

    /// The parts, in the order in which they are sent.
    package var parts: [Part] = []
    /// What separates the parts.
    package let boundary: String

    /// Creates a body without parts, and with a random boundary.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    /// Creates a body without parts, and with a boundary from a generator, so that a test can foresee it.
    ///
    /// - Parameter generator: gives 128 bits.
    package init(using generator: inout some RandomNumberGenerator) {
        self.boundary = "tern-\(Hexadecimal.random128(using: &generator))"
    }

    /// Adds a plain field.
    ///
    /// - Parameters:
    ///   - name: the name of the form's field.
    ///   - value: its value, sent as UTF-8.
    ///   - contentType: its media type, such as `application/json`; `nil`, the default, says nothing, which means plain text
    ///     (RFC 7578 §4.4).
    /// - Returns: a changed copy.
    public func field(_ name: String, _ value: String, contentType: String? = nil) -> Multipart {
        self.part(Part(name: name, data: Data(value.utf8), contentType: contentType))
    }

    /// Adds a file.
    ///
    /// - Parameters:
    ///   - name: the name of the form's field.
    ///   - data: its content.
    ///   - filename: its name.
    ///   - contentType: its media type; `application/octet-stream` by default (RFC 7578 §4.4).
    /// - Returns: a changed copy.
    public func file(
        _ name: String,
        _ data: Data,
        filename: String,
        contentType: String = "application/octet-stream"
    ) -> Multipart {
        self.part(Part(name: name, data: data, filename: filename, contentType: contentType))
    }

    /// Adds a file, which is read while it is sent.
    ///
    /// A request with it can be sent again, after a redirect for instance. If the file is missing, or changes its length
    /// meanwhile, the call throws `ClientError.uploadFailed`.
    ///
    /// - Parameters:
    ///   - name: the name of the form's field.
    ///   - url: the URL of a regular file.
    ///   - filename: what to call it; by default the last component of its path.
    ///   - contentType: its media type; `application/octet-stream` by default (RFC 7578 §4.4).
    /// - Returns: a changed copy.
    public func file(
        _ name: String,
        _ url: URL,
        filename: String? = nil,
        contentType: String = "application/octet-stream"
    ) -> Multipart {
        self.part(Part(name: name, file: url, filename: filename, contentType: contentType))
    }

    /// Whether a part is a file, so that the body is not all in memory.
    public var hasFiles: Bool {
        self.parts.contains { if case .file = $0.content { true } else { false } }
    }

    /// Adds a part.
    ///
    /// - Parameter part: what to add.
    /// - Returns: a changed copy.
    package func part(_ part: Part) -> Multipart {
        var copy = self
        copy.parts.append(part)
        return copy
    }
}
