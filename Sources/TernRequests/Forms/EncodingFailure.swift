// SPDX-License-Identifier: Apache-2.0
import TernErrors

/// Texts for the failures of encoders.
enum EncodingFailure {
    /// Returns a text for an encoder's failure.
    ///
    /// It names the place, but not the encoder's own text or the keys of dictionaries, which may contain content. For
    /// an unknown error, it names only the type.
    static func text(of error: any Error) -> String {
        let (text, path): (String, [any CodingKey])
        switch error {
        case EncodingError.invalidValue(_, let context):
            (text, path) = ("a value cannot be encoded", context.codingPath)
        case let problem as FormProblem: (text, path) = (problem.text, problem.path)
        default: return "\(type(of: error))"
        }
        return path.isEmpty ? text : "\(text) (at \(CodingPath.text(of: path)))"
    }
}
