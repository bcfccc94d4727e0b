// SPDX-License-Identifier: Apache-2.0
import TernErrors

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Request {
    /// Sends a value as JSON, with the media type `application/json`.
    ///
    /// - Parameters:
    ///   - value: what to send; encoded at once. If that fails, the ``problem`` is
    ///     `RequestFailure.bodyNotEncodable`.
    ///   - encoder: how to write it; by default a `JSONEncoder` as it comes.
    /// - Returns: a changed copy.
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

    /// Sends pairs as an HTML form does, with the media type `application/x-www-form-urlencoded`.
    ///
    /// - Parameter form: names and values, in order; a name may occur more than once.
    /// - Returns: a changed copy.
    public func body(form: KeyValuePairs<String, String>) -> Request {
        self.body(form: form.map { ($0.key, $0.value) })
    }

    /// Sends pairs as an HTML form does, with the media type `application/x-www-form-urlencoded`.
    ///
    /// - Parameter form: names and values, in order; a name may occur more than once.
    /// - Returns: a changed copy.
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

    /// Sends a value as an HTML form does, with the media type `application/x-www-form-urlencoded`.
    ///
    /// - Parameters:
    ///   - value: what to send: a structure or a dictionary; encoded at once. If that fails, the ``problem`` is
    ///     `RequestFailure.bodyNotEncodable`.
    ///   - encoder: how to write lists, dates and the like; see ``FormEncoder`` for the defaults.
    /// - Returns: a changed copy.
    @_disfavoredOverload  // a literal of names and values keeps its order
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

    /// Sends parts, such as fields and files, with the media type `multipart/form-data`.
    ///
    /// - Parameter multipart: the parts; what is in memory is encoded at once. If that fails, the ``problem`` is what
    ///   ``Multipart/encode()`` throws. Files are read while they are sent.
    /// - Returns: a changed copy.
    public func body(multipart: Multipart) -> Request {
        self.with { request in
            do throws(RequestFailure) {
                let content: RequestBody.Content
                if multipart.hasFiles {
                    _ = try multipart.segments()  // so that a problem shows now
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

    /// Sends a file, which is opened when the request is sent, and read in pieces.
    ///
    /// - Parameters:
    ///   - file: the URL of a regular file.
    ///   - contentType: its media type; none by default.
    /// - Returns: a changed copy.
    public func body(file: URL, contentType: String? = nil) -> Request {
        self.body(.file(file, contentType: contentType))
    }

    /// Sends bytes.
    ///
    /// - Parameters:
    ///   - data: the bytes.
    ///   - contentType: their media type; none by default.
    /// - Returns: a changed copy.
    public func body(data: Data, contentType: String? = nil) -> Request {
        self.body(.data(data, contentType: contentType))
    }

    /// Sends the bytes that a sequence gives, as it gives them.
    ///
    /// It is read once; see ``RequestBody/stream(_:length:contentType:)``.
    ///
    /// - Parameters:
    ///   - stream: pieces of any size.
    ///   - length: how many bytes they are together; if `nil`, the default, the body is sent in chunks.
    ///   - contentType: their media type; none by default.
    /// - Returns: a changed copy.
    public func body<S: AsyncSequence & Sendable>(
        stream: S,
        length: Int64? = nil,
        contentType: String? = nil
    ) -> Request where S.Element: Sequence<UInt8> {
        self.body(.stream(stream, length: length, contentType: contentType))
    }

    /// Sends a body that was made before.
    ///
    /// - Parameter body: the content. If its media type holds a control character, the ``problem`` is
    ///   `RequestFailure.malformedFieldValue`.
    /// - Returns: a changed copy.
    public func body(_ body: RequestBody) -> Request {
        self.with { request in
            request.body = body
            if let type = body.contentType, !FieldValue.isValid(type) {
                request.problems.body = .malformedFieldValue(name: "Content-Type")
            }
        }
    }
}
