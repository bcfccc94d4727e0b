// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import Tern

extension ScriptedResponse {
    /// Returns a response whose body is a stream of server-sent events, sent step by step.
    ///
    /// - Parameters:
    ///   - steps: The steps, such as `.event("hello")` and `.pause(.seconds(15))`.
    ///   - status: The status. Defaults to 200 OK.
    ///   - fields: The header fields. Defaults to none. `Content-Type` is added if it is missing.
    ///   - ending: The action after a complete body. Defaults to keeping the connection open.
    /// - Returns: The response.
    public static func events(
        _ steps: [BodyStep],
        status: HTTPResponse.Status = .ok,
        fields: HTTPFields = [:],
        ending: Ending = .keepOpen
    ) -> ScriptedResponse {
        .stream(steps, status: status, fields: fields.with(contentType: "text/event-stream"), ending: ending)
    }

    /// Returns a response whose body is a stream of JSON records, sent step by step.
    ///
    /// - Parameters:
    ///   - steps: The steps, such as `.record(change)` and `.pause(.seconds(15))`.
    ///   - format: The format of the records. Defaults to `.lines`; `.automatic` means the same.
    ///   - status: The status. Defaults to 200 OK.
    ///   - fields: The header fields. Defaults to none. `Content-Type` is added if it is missing.
    ///   - ending: The action after a complete body. Defaults to keeping the connection open.
    /// - Returns: The response.
    public static func records(
        _ steps: [BodyStep],
        format: RecordStreamFormat = .lines,
        status: HTTPResponse.Status = .ok,
        fields: HTTPFields = [:],
        ending: Ending = .keepOpen
    ) -> ScriptedResponse {
        let fields = fields.with(contentType: format.mediaType)
        return .stream(steps, recordsAs: format, status: status, fields: fields, ending: ending)
    }

    /// Returns a response whose body is sent step by step, without a `Content-Type`.
    ///
    /// - Parameters:
    ///   - steps: The steps, such as `.text("one\n")` and `.pause(.seconds(15))`. Each part is sent as a chunk (RFC
    ///     9112 §7.1), except if the fields contain a `Content-Length`.
    ///   - status: The status. Defaults to 200 OK. With 204 or 304, nothing follows the head.
    ///   - fields: The header fields. Defaults to none.
    ///   - ending: The action after a complete body. Defaults to keeping the connection open.
    /// - Returns: The response.
    public static func stream(
        _ steps: [BodyStep],
        status: HTTPResponse.Status = .ok,
        fields: HTTPFields = [:],
        ending: Ending = .keepOpen
    ) -> ScriptedResponse {
        .stream(steps, recordsAs: .lines, status: status, fields: fields, ending: ending)
    }

    private static func stream(
        _ steps: [BodyStep],
        recordsAs format: RecordStreamFormat,
        status: HTTPResponse.Status,
        fields: HTTPFields,
        ending: Ending
    ) -> ScriptedResponse {
        guard status.code != 204, status.code != 304 else { return .response(status, fields: fields, ending: ending) }
        let isChunked = fields[.contentLength] == nil
        var fields = fields
        if isChunked { fields[.transferEncoding] = "chunked" }
        var response = ScriptedResponse(head: Self.head(status, fields), ending: ending)
        response.script = Result { () throws(TestStallError) in
            let script = try BodyScript(steps, recordsAs: format)
            return isChunked ? script.chunked : script
        }
        return response
    }
}

extension HTTPFields {
    /// Returns the fields, and adds this `Content-Type` if they have none.
    func with(contentType: String) -> HTTPFields {
        var fields = self
        if fields[.contentType] == nil { fields[.contentType] = contentType }
        return fields
    }
}
