// SPDX-License-Identifier: Apache-2.0
import TernErrors
public import TernFoundation

extension Request {
    /// Sets the body to a value, encoded as JSON with the media type `application/json`.
    ///
    /// - Parameters:
    ///   - value: The value to send. This method encodes it at once; if that fails, the ``problem`` is
    ///     `RequestFailure.bodyNotEncodable`.
    ///   - encoder: The encoder. Defaults to a `JSONEncoder` with its default settings.
    /// - Returns: A changed copy.
    public func body(json value: some Encodable, encoder: JSONEncoder = JSONEncoder()) -> Request {
        self.with { request in
            do {
                request.body = .data(try encoder.encode(value), contentType: "application/json")
            } catch {
                request.body = nil
                request.problems.body = .bodyNotEncodable(EncodingFailure.text(of: error))
            }
        }
    }

    /// Sets the body to name-value pairs, encoded like an HTML form with the media type
    /// `application/x-www-form-urlencoded`.
    ///
    /// - Parameter form: Names and values, in the order in which the client sends them. A name may occur more than
    ///   once.
    /// - Returns: A changed copy.
    public func body(form: KeyValuePairs<String, String>) -> Request {
        self.body(form: form.map { ($0.key, $0.value) })
    }

    /// Sets the body to name-value pairs, encoded like an HTML form with the media type
    /// `application/x-www-form-urlencoded`.
    ///
    /// - Parameter form: Names and values, in the order in which the client sends them. A name may occur more than
    ///   once.
    /// - Returns: A changed copy.
    public func body(form: [(String, String)]) -> Request {
        var text = ""
        for (name, value) in form {
            if !text.isEmpty { text.append("&") }
            PercentEncoding.append(name, to: &text, as: .form)
            text.append("=")
            PercentEncoding.append(value, to: &text, as: .form)
        }
        return self.body(data: Data(text.utf8), contentType: "application/x-www-form-urlencoded")
    }

    /// Sets the body to the members of a value, encoded like an HTML form with the media type
    /// `application/x-www-form-urlencoded`.
    ///
    /// - Parameters:
    ///   - value: A structure or a dictionary. This method encodes it at once; if that fails, the ``problem`` is
    ///     `RequestFailure.bodyNotEncodable`.
    ///   - encoder: The encoder, which decides how to write arrays, dates and the like. See ``FormEncoder`` for its
    ///     defaults.
    /// - Returns: A changed copy.
    @_disfavoredOverload  // prefer the overload that keeps the order of a literal
    public func body(form value: some Encodable, encoder: FormEncoder = FormEncoder()) -> Request {
        do throws(RequestFailure) {
            return self.body(form: try encoder.pairs(value).map { ($0.name, $0.value) })
        } catch {
            return self.with { request in
                request.body = nil
                request.problems.body = error
            }
        }
    }

    /// Sets the body to parts, such as fields and files, with the media type `multipart/form-data`.
    ///
    /// - Parameter multipart: The parts. This method encodes parts in memory at once; if that fails, the ``problem`` is
    ///   the error that ``Multipart/encode()`` throws. The client reads files while it sends them.
    /// - Returns: A changed copy.
    public func body(multipart: Multipart) -> Request {
        self.with { request in
            do throws(RequestFailure) {
                let content: RequestBody.Content
                if multipart.hasFiles {
                    _ = try multipart.segments()  // finds a problem now; the result is not needed
                    content = .multipart(multipart)
                } else {
                    content = .data(try multipart.encode())
                }
                request.body = RequestBody(content, contentType: multipart.contentType)
            } catch {
                request.body = nil
                request.problems.body = error
            }
        }
    }

    /// Sets the body to the content of a file.
    ///
    /// The client opens the file when it sends the request, and reads it in pieces.
    ///
    /// - Parameters:
    ///   - file: The URL of a regular file.
    ///   - contentType: The media type of the file. Defaults to `nil`, which sends no `Content-Type`.
    /// - Returns: A changed copy.
    public func body(file: URL, contentType: String? = nil) -> Request {
        self.body(.file(file, contentType: contentType))
    }

    /// Sets the body to bytes.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - contentType: The media type of the bytes. Defaults to `nil`, which sends no `Content-Type`.
    /// - Returns: A changed copy.
    public func body(data: Data, contentType: String? = nil) -> Request {
        self.body(.data(data, contentType: contentType))
    }

    /// Sets the body to the bytes of an asynchronous sequence, which the client sends as the sequence produces them.
    ///
    /// The client reads the sequence once; see ``RequestBody/stream(_:length:contentType:)``.
    ///
    /// - Parameters:
    ///   - stream: The pieces, of any size.
    ///   - length: The total number of bytes. Defaults to `nil`: the client then sends the body in chunks (RFC 9112
    ///     §7.1).
    ///   - contentType: The media type of the bytes. Defaults to `nil`, which sends no `Content-Type`.
    /// - Returns: A changed copy.
    public func body<S: AsyncSequence & Sendable>(
        stream: S,
        length: Int64? = nil,
        contentType: String? = nil
    ) -> Request where S.Element: Sequence<UInt8> {
        self.body(.stream(stream, length: length, contentType: contentType))
    }

    /// Sets the body to an existing request body.
    ///
    /// - Parameter body: The content. If its media type contains a control character, the ``problem`` is
    ///   `RequestFailure.malformedFieldValue`.
    /// - Returns: A changed copy.
    public func body(_ body: RequestBody) -> Request {
        self.with { request in
            request.body = body
            if let type = body.contentType, !FieldValue.isValid(type) {
                request.problems.body = .malformedFieldValue(name: "Content-Type")
            }
        }
    }
}
