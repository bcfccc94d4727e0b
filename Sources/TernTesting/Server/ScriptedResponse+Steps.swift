// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
public import Tern

extension ScriptedResponse {
    /// Returns a response whose body is a stream of server-sent events, sent step by step.
    public static func events(
        _ steps: [BodyStep],
        status: HTTPResponse.Status = .ok,
        fields: HTTPFields = [:],
        ending: Ending = .keepOpen
    ) -> ScriptedResponse {
        .stream(steps, status: status, fields: fields.with(contentType: "text/event-stream"), ending: ending)
    }

    /// Returns a response whose body is a stream of JSON records, sent step by step; `.automatic` means `.lines`.
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

    /// Returns a response whose body is sent step by step, in chunks unless the fields contain `Content-Length`.
    ///
    /// The response has a `Content-Type` only if the fields contain it, and no body if its status is 204 or 304.
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
    func with(contentType: String) -> HTTPFields {
        var fields = self
        if fields[.contentType] == nil { fields[.contentType] = contentType }
        return fields
    }
}
