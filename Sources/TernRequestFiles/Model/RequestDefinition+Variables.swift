// SPDX-License-Identifier: Apache-2.0

extension RequestDefinition {
    package var templates: [Template] {
        let server: [Template] =
            switch self.server {
            case .address: []
            case .variable(let name): [Template(variable: name)]
            case .template(let template): [template]
            }
        let content: [Template] =
            switch self.body {
            case .json(let template), .text(let template): [template]
            case .form(let items): items.flatMap { [$0.name, $0.value] }
            case .multipart(let parts): parts.flatMap(\.templates)
            case .file, nil: []
            }
        let signIn = self.signIn.map { [$0.user, $0.password] } ?? []
        return server + [self.target] + self.fields.map(\.value) + signIn + content
    }

    /// The names of the variables and the expressions in the request, in order.
    package var variableNames: [String] { self.templates.flatMap(\.variableNames) }

    /// Returns whether a variable occurs in the place of a JSON value.
    package func standsForJSON(_ name: String) -> Bool {
        self.uses.contains { $0.place == .jsonValue && $0.reference.name == name }
    }

    /// Returns a copy in which the variables in the host get their values when the request is sent.
    package func withVariablesInHost() -> RequestDefinition {
        guard let template = self.addressTemplate else { return self }
        var copy = self
        copy.server = .template(template)
        return copy
    }

    /// Returns a copy with other names of variables; the closure is called for each occurrence.
    package func mapVariables(_ change: (String) -> String) -> RequestDefinition {
        var copy = self
        switch self.server {
        case .address: break
        case .variable(let name): copy.server = .variable(change(name))
        case .template(let template): copy.server = .template(template.mapVariables(change))
        }
        copy.target = self.target.mapVariables(change)
        for index in copy.fields.indices { copy.fields[index].value = copy.fields[index].value.mapVariables(change) }
        copy.signIn = self.signIn.map { signIn in
            SignInDefinition(
                scheme: signIn.scheme,
                signIn.user.mapVariables(change),
                signIn.password.mapVariables(change)
            )
        }
        switch self.body {
        case .json(let template): copy.body = .json(template.mapVariables(change))
        case .text(let template): copy.body = .text(template.mapVariables(change))
        case .form(let items):
            copy.body = .form(
                items.map {
                    BodyDefinition.FormItem(name: $0.name.mapVariables(change), value: $0.value.mapVariables(change))
                }
            )
        case .multipart(let parts): copy.body = .multipart(parts.map { $0.mapVariables(change) })
        case .file, nil: break
        }
        return copy
    }
}
