// SPDX-License-Identifier: Apache-2.0
import TernErrors
public import TernFoundation

extension Request {
    /// Sets the body to a value, encoded as JSON with the media type `application/json`.
    ///
    /// This method encodes the value at once. If that fails, the ``problem`` is `RequestFailure.bodyNotEncodable`.
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

    /// Sets the body to name-value pairs, encoded like an HTML form with the media type `application/x-www-form-urlencoded`.
    ///
    /// The client sends the pairs in their order. A name may occur more than once.
    public func body(form: KeyValuePairs<String, String>) -> Request {
        self.body(form: form.map { ($0.key, $0.value) })
    }

    /// Sets the body to an array of name-value pairs in their order, encoded like an HTML form.
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

    /// Sets the body to the members of a structure or a dictionary, encoded like an HTML form, as ``FormEncoder`` says.
    ///
    /// This method encodes the value at once. If that fails, the ``problem`` is `RequestFailure.bodyNotEncodable`.
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
    /// This method checks the form, and encodes it if it has no files; if that fails, the ``problem`` is an error that
    /// ``Multipart/encode()`` throws. The client reads files only when it sends the request.
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

    /// Sets the body to the content of a regular file, which the client opens when it sends the request.
    ///
    /// Without a `contentType`, the client itself adds no `Content-Type`, except over `URLSession` to a `POST`.
    public func body(file: URL, contentType: String? = nil) -> Request {
        self.body(.file(file, contentType: contentType))
    }

    /// Sets the body to bytes.
    ///
    /// Without a `contentType`, the client itself adds no `Content-Type`, except over `URLSession` to a `POST`.
    public func body(data: Data, contentType: String? = nil) -> Request {
        self.body(.data(data, contentType: contentType))
    }

    /// Sets the body to the bytes of an asynchronous sequence, as ``RequestBody/stream(_:length:contentType:)`` describes.
    public func body<S: AsyncSequence & Sendable>(
        stream: S,
        length: Int64? = nil,
        contentType: String? = nil
    ) -> Request where S.Element: Sequence<UInt8> {
        self.body(.stream(stream, length: length, contentType: contentType))
    }

    /// Sets the body to an existing request body.
    ///
    /// If its media type contains a control character other than a tab, the ``problem`` is `RequestFailure.malformedFieldValue`.
    public func body(_ body: RequestBody) -> Request {
        self.with { request in
            request.body = body
            if let type = body.contentType, !FieldValue.isValid(type) {
                request.problems.body = .malformedFieldValue(name: "Content-Type")
            }
        }
    }
}
