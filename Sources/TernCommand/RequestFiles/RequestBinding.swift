// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Tern
import TernFoundation
import TernRequestFiles
import TernRequests

/// Creates a request from a definition and values, with the same modifiers of `Request` as generated code.
struct RequestBinding {
    let definition: RequestDefinition
    let values: [String: VariableValue]
    /// The values of the variables in which expressions are left; see ``resolved(by:)``.
    var deferred: [String: Template] = [:]
    /// The files by their paths in the request file; ``BodyFile`` has checked them, except a file that the user typed.
    let files: [String: URL]

    /// If its `problem` is not `nil`, the command reports the problem and sends nothing.
    var request: Request {
        let definition = self.definition
        let method = HTTPRequest.Method(rawValue: definition.method) ?? .get
        var request = Request(method, self.server)
        if !definition.target.isEmpty { request = request.target(self.target) }
        for field in definition.fields { request = request.header(field.name, self.text(field.value)) }
        if let body = definition.body { request = self.adding(body, to: request) }
        if !definition.followsRedirects { request = request.redirects(.never) }
        if let signIn = definition.signIn {
            let credential = Credential(user: self.text(signIn.user), password: self.text(signIn.password))
            switch signIn.scheme {
            case .basic: request = request.credential(credential, schemes: [.basic], isPreemptive: true)
            case .digest: request = request.credential(credential, schemes: [.digest])
            }
        }
        // Send the same `Accept` as the generated method: the media type that its decoder reads.
        if case .value = definition.result, !request.fields.contains(.accept), let accept = JSONBodyDecoder().accept {
            request = request.header(.accept, accept)
        }
        return request
    }

    /// The URL of the request, or of the server if the request has a problem.
    var address: String {
        let request = self.request
        return request.problem == nil ? request.url.absoluteString : self.server
    }

    private func value(of name: String) -> VariableValue { self.values[name] ?? .null }

    var server: String {
        switch self.definition.server {
        case .address(let text): text
        case .variable(let name):
            self.value(of: name).text.map { $0.isEmpty ? "" : ServerAddress.completed($0) } ?? ""
        case .template(let template): ServerAddress.completed(self.text(template))
        }
    }

    /// Checks that a value in the address of the server changes only its part of the address.
    func checkServer() throws(CommandFailure) {
        guard case .template(let template) = self.definition.server else { return }
        do throws(ServerAddress.Failure) {
            _ = try ServerAddress.text(of: template) { self.value(of: $0).description }
        } catch {
            throw CommandFailure(
                outcome: .invalidRequest,
                message: TerminalText.sanitized("the address \(self.server) cannot be used: \(error.rule)")
            )
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
            let text = self.text(template, in: self.definition.mediaText)
            return request.body(data: Data(text.utf8), contentType: type)
        case .file(let path):
            return self.files[path].map { request.body(file: $0, contentType: type) } ?? request
        case .multipart(let parts):
            return request.body(multipart: parts.reduce(Multipart()) { self.adding($1, to: $0) })
        }
    }

    private func adding(_ part: PartDefinition, to form: Multipart) -> Multipart {
        let name = self.text(part.name)
        let type = part.contentType
        let filename = part.filename.map { self.text($0) }
        let text: String
        switch part.content {
        case .text(let template):
            text = self.text(template, in: type.flatMap { MediaText(ofContentType: $0) } ?? .plain)
        case .json(let template):
            text = self.json(template).text  // has no problem, because the reader has checked the JSON
        case .file(let path):
            guard let file = self.files[path] else { return form }
            return form.file(name, file, filename: filename, contentType: type ?? "application/octet-stream")
        }
        guard let filename else { return form.field(name, text, contentType: type) }
        let data = Data(text.utf8)
        return form.file(name, data, filename: filename, contentType: type ?? "application/octet-stream")
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

    /// Use this for text that needs no escaping, or that a modifier of `Request` escapes.
    private func text(_ template: Template) -> String { self.text(template, in: .plain) }

    private func text(_ template: Template, in media: MediaText) -> String {
        template.text { media.escaped(self.value(of: $0).description) }
    }
}

extension RequestBinding {
    /// As in editors, an expression that occurs twice has two values; a variable has one value in the whole request.
    func resolved(by evaluator: ExpressionEvaluator) throws(CommandFailure) -> RequestBinding {
        var values = self.values
        for (name, template) in self.deferred {
            values[name] = try self.value(of: template, for: name, evaluator)
        }
        var failure: CommandFailure?
        var count = 0
        let definition = self.definition.mapVariables { name in
            guard values[name] == nil, let expression = ValueExpression(name) else { return name }
            count += 1
            // A name cannot contain a blank, so this key belongs to no variable.
            let key = "\(name) \(count)"
            do throws(CommandFailure) {
                values[key] = try evaluator.value(of: expression)
            } catch {
                failure = failure ?? error
            }
            return key
        }
        if let failure { throw failure }
        let binding = RequestBinding(definition: definition, values: values, files: self.files)
        try binding.checkServer()
        return binding
    }

    private func value(
        of template: Template,
        for name: String,
        _ evaluator: ExpressionEvaluator
    ) throws(CommandFailure) -> VariableValue {
        if let whole = template.wholeVariable, let expression = ValueExpression(whole) {
            return try evaluator.value(of: expression)
        }
        var text = ""
        for piece in template.pieces {
            switch piece {
            case .text(let part): text += part
            case .variable(let inner):
                guard let expression = ValueExpression(inner) else { continue }
                text += try evaluator.value(of: expression).description
            }
        }
        return try VariableValue(text, ofVariable: name, in: self.definition)
    }
}
