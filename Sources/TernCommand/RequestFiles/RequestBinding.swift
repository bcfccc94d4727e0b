// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Tern
import TernRequestFiles
import TernRequests

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Creates a request from a definition in a file and values for its variables.
///
/// It uses the same modifiers of `Request` as the code that the plug-in generates.
struct RequestBinding {
    let definition: RequestDefinition
    /// The values of the variables.
    let values: [String: VariableValue]
    /// The folder of the request file.
    ///
    /// A path in the file is relative to this folder.
    let folder: URL

    /// The request.
    ///
    /// If its `problem` is not `nil`, the command reports the problem and sends nothing.
    var request: Request {
        let definition = self.definition
        let method = HTTPRequest.Method(rawValue: definition.method) ?? .get
        var request = Request(method, self.server)
        if !definition.target.isEmpty { request = request.target(self.target) }
        for field in definition.fields { request = request.header(field.name, self.text(field.value)) }
        if let body = definition.body { request = self.adding(body, to: request) }
        if !definition.followsRedirects { request = request.redirects(.never) }
        // Send the same `Accept` as the generated method: the media type that its decoder reads.
        if case .value = definition.result, !request.fields.contains(.accept), let accept = JSONBodyDecoder().accept {
            request = request.header(.accept, accept)
        }
        return request
    }

    /// The URL for the report: that of the request, or that of the server if the request has a problem.
    var address: String {
        let request = self.request
        return request.problem == nil ? request.url.absoluteString : self.server
    }

    private func value(of name: String) -> VariableValue { self.values[name] ?? .null }

    /// The URL of the server, which comes before the target of the request.
    var server: String {
        switch self.definition.server {
        case .address(let text): text
        case .variable(let name): self.value(of: name).text ?? ""
        }
    }

    private var target: RequestTarget {
        var parts = RequestTarget.StringInterpolation(literalCapacity: 0, interpolationCount: 0)
        for piece in self.definition.target.pieces {
            switch piece {
            case .text(let text): parts.appendLiteral(text)
            case .variable(let name): parts.appendInterpolation(self.value(of: name).text)
            }
        }
        return RequestTarget(stringInterpolation: parts)
    }

    private func adding(_ body: BodyDefinition, to request: Request) -> Request {
        let type = self.definition.contentType
        switch body {
        case .json(let template):
            return request.body(jsonText: self.json(template), contentType: type ?? "application/json")
        case .form(let items):
            let form = request.body(form: items.map { (self.text($0.name), self.text($0.value)) })
            return type.map { form.header(.contentType, $0) } ?? form
        case .text(let template):
            return request.body(data: Data(self.text(template).utf8), contentType: type)
        case .file(let path):
            // A typed path is relative to the current directory, as for all options; a path in the file is relative to
            // the file.
            let typed = self.values[RunCommand.fileVariable]?.text
            let place = typed.map { URL(filePath: $0) } ?? URL(filePath: path, relativeTo: self.folder)
            return request.body(file: place, contentType: type)
        }
    }

    private func json(_ template: Template) -> JSONText {
        var parts = JSONText.StringInterpolation(literalCapacity: 0, interpolationCount: 0)
        for piece in template.pieces {
            switch piece {
            case .text(let text): parts.appendLiteral(text)
            case .variable(let name): parts.appendInterpolation(self.value(of: name))
            }
        }
        return JSONText(stringInterpolation: parts)
    }

    /// Returns the text of a template without escaping it.
    ///
    /// Use this for text that needs no escaping, or that a modifier of `Request` escapes.
    private func text(_ template: Template) -> String {
        template.text { self.value(of: $0).description }
    }
}
