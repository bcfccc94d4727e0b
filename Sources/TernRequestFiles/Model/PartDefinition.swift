// SPDX-License-Identifier: Apache-2.0

/// A part of a body of type `multipart/form-data`, only in requests that are sent.
///
/// The client chooses the boundary, so a value cannot begin another part.
package struct PartDefinition: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// Text; it contains variables only if its type is missing or a ``MediaText``.
        case text(Template)
        /// JSON with variables inside strings or as values.
        case json(Template)
        /// A file, with its path as written.
        case file(String)
    }

    package internal(set) var name = Template()
    package internal(set) var filename: Template?
    package internal(set) var contentType: String?
    package internal(set) var content = Content.text(Template())

    var templates: [Template] {
        let text: [Template] =
            switch self.content {
            case .text(let template), .json(let template): [template]
            case .file: []
            }
        return [self.name] + (self.filename.map { [$0] } ?? []) + text
    }

    func mapVariables(_ change: (String) -> String) -> PartDefinition {
        var copy = self
        copy.name = self.name.mapVariables(change)
        copy.filename = self.filename?.mapVariables(change)
        switch self.content {
        case .text(let template): copy.content = .text(template.mapVariables(change))
        case .json(let template): copy.content = .json(template.mapVariables(change))
        case .file: break
        }
        return copy
    }
}
