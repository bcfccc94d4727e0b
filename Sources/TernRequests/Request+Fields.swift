// SPDX-License-Identifier: Apache-2.0
public import HTTPTypes
import TernErrors

extension Request {
    /// Sets a field, in place of all that have its name.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - value: the value. One with a control character, such as a line break, is refused: the ``problem`` is then
    ///     `InvalidRequest.malformedFieldValue`.
    /// - Returns: a changed copy.
    public func header(_ name: HTTPField.Name, _ value: String) -> Request {
        self.with { request in
            guard Self.isValid(value) else {
                request.problems.field = .malformedFieldValue(name: name.rawName)
                return
            }
            if request.problems.field == .malformedFieldValue(name: name.rawName) { request.problems.field = nil }
            request.fields[name] = value
        }
    }

    /// Sets a field by the text of its name, in place of all that have its name.
    ///
    /// - Parameters:
    ///   - name: the name of the field. If it is not a token, the ``problem`` is
    ///     `InvalidRequest.malformedFieldName`.
    ///   - value: the value, under the same rule as in ``header(_:_:)-(HTTPField.Name,_)``.
    /// - Returns: a changed copy.
    public func header(_ name: String, _ value: String) -> Request {
        guard let name = HTTPField.Name(name) else { return self.with { $0.problems.field = .malformedFieldName } }
        return self.header(name, value)
    }

    /// Adds a field, after any others that have its name.
    ///
    /// - Parameters:
    ///   - name: the name of the field.
    ///   - value: the value, under the same rule as in ``header(_:_:)-(HTTPField.Name,_)``.
    /// - Returns: a changed copy.
    public func header(adding name: HTTPField.Name, _ value: String) -> Request {
        self.with { request in
            guard Self.isValid(value) else {
                request.problems.field = .malformedFieldValue(name: name.rawName)
                return
            }
            request.fields.append(HTTPField(name: name, value: value))
        }
    }

    /// `HTTPField` would silently put spaces in place of these.
    static func isValid(_ value: String) -> Bool {
        value.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == UInt8(ascii: "\t") }
    }
}
