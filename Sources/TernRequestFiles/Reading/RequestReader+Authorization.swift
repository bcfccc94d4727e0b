// SPDX-License-Identifier: Apache-2.0

extension RequestReader {
    /// Reads what editors encode: `Basic user password`, `Basic user:password`, and the same with `Digest`.
    mutating func readAuthorization(_ value: Template, at position: TextPosition) throws(Diagnostic) {
        guard self.isLenient, case .text(let text)? = value.pieces.first else {
            throw Diagnostic(.editorAuthorization, at: position)
        }
        let scheme = text.prefix { $0 != " " }.lowercased()
        let (user, password) = Self.split(value, after: scheme.count)
        // A complete field of Digest has parameters such as `username="anna"`; it cannot be sent again.
        guard let user, let password, !(user.literal ?? "").contains("=") else {
            throw Diagnostic(.editorAuthorization, at: position)
        }
        guard self.request.signIn == nil, self.known("Authorization") == nil else {
            throw Diagnostic(.duplicateField, at: position)
        }
        self.request.signIn = SignInDefinition(scheme: scheme == "basic" ? .basic : .digest, user, password)
    }

    private static func split(_ value: Template, after count: Int) -> (user: Template?, password: Template?) {
        var user = Template()
        var password: Template?
        for (index, piece) in value.pieces.enumerated() {
            switch piece {
            case .variable(let name):
                if password == nil { user.append(variable: name) } else { password?.append(variable: name) }
            case .text(let text):
                let rest = index == 0 ? text.dropFirst(count).drop { $0 == " " || $0 == "\t" } : text[...]
                if password != nil {
                    password?.append(String(rest))
                } else if let end = rest.firstIndex(where: { " \t:".contains($0) }) {
                    user.append(String(rest[..<end]))
                    password = Template()
                    let isColon = rest[end] == ":"
                    let after = rest[end...].dropFirst()
                    password?.append(String(isColon ? after : after.drop { $0 == " " || $0 == "\t" }))
                } else {
                    user.append(String(rest))
                }
            }
        }
        return (user.isEmpty ? nil : user, password)
    }
}
