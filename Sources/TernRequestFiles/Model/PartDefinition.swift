// SPDX-License-Identifier: Apache-2.0

/// A part of a body of type `multipart/form-data`.
///
/// The client writes the parts with a boundary of its own, so a value cannot begin another part. Only requests that are
/// sent have parts.
package struct PartDefinition: Hashable, Sendable {
    /// The content of a part.
    package enum Content: Hashable, Sendable {
        /// Text.
        case text(Template)
        /// The content of a file, with its path as written.
        case file(String)
    }

    /// The name of the form's field.
    package internal(set) var name = Template()
    /// The name of the file; `nil` if there is none.
    package internal(set) var filename: Template?
    /// The media type; `nil` if there is none.
    package internal(set) var contentType: String?
    /// The content.
    package internal(set) var content = Content.text(Template())

    /// The texts of the part that may contain variables.
    var templates: [Template] {
        let text: [Template] = if case .text(let template) = self.content { [template] } else { [] }
        return [self.name] + (self.filename.map { [$0] } ?? []) + text
    }

    /// Returns a copy with other names of variables.
    func mapVariables(_ change: (String) -> String) -> PartDefinition {
        var copy = self
        copy.name = self.name.mapVariables(change)
        copy.filename = self.filename?.mapVariables(change)
        if case .text(let template) = self.content { copy.content = .text(template.mapVariables(change)) }
        return copy
    }
}
