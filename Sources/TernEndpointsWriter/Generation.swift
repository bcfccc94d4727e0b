// SPDX-License-Identifier: Apache-2.0
import TernRequestFiles

/// What comes of a request file: code, or errors.
package struct Generation {
    /// The Swift code; `nil` if there are errors.
    package private(set) var code: String?
    /// Errors and warnings: line, column and sentence, without the name of the file.
    package private(set) var diagnostics: [String]

    /// - Parameters:
    ///   - bytes: the content of the request file.
    ///   - fileName: its name, after which the type is named.
    package init(_ bytes: [UInt8], fileName: String) {
        do throws(RequestFileFailure) {
            let file = try RequestFile(bytes)
            self.diagnostics = file.warnings.map(\.description)
            guard !SwiftNames.endsLine(fileName) else {
                self.diagnostics.append("1:1: error: the name of the file has a control character in it")
                return
            }
            guard let typeName = SwiftNames.typeName(forFile: fileName) else {
                self.diagnostics.append(
                    "1:1: error: '\(fileName)' gives no name for a type; name it as in 'Photos.http'"
                )
                return
            }
            self.diagnostics += file.requests.filter { $0.name == nil }.map { request in
                "\(request.position): warning: the request has no name, and becomes no method; give it one by '# @name'"
            }
            self.code = EndpointWriter(file, typeName: typeName, fileName: fileName).code
        } catch {
            self.diagnostics = error.diagnostics.map(\.description)
        }
    }
}
