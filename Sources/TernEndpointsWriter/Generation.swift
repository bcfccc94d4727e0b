// SPDX-License-Identifier: Apache-2.0
import TernRequestFiles

/// The result of generating code from a request file: code, or errors.
package struct Generation {
    package private(set) var code: String?
    /// Errors and warnings: for each one the line, the column and a sentence, without the name of the file.
    package private(set) var diagnostics: [String]

    package init(_ bytes: [UInt8], fileName: String) {
        do throws(RequestFileFailure) {
            let file = try RequestFile(bytes)
            self.diagnostics = file.warnings.map(\.description)
            guard !SwiftNames.endsLine(fileName) else {
                self.diagnostics.append("1:1: error: the file name contains a control character; rename the file")
                return
            }
            guard let typeName = SwiftNames.typeName(forFile: fileName) else {
                self.diagnostics.append(
                    "1:1: error: '\(fileName)' cannot become the name of a Swift type; use a name such as 'Photos.http'"
                )
                return
            }
            self.diagnostics += file.requests.filter { $0.name == nil }.map { request in
                "\(request.position): warning: no Swift method is made for this request, because it has no name; "
                    + "add '# @name photo'"
            }
            self.code = EndpointWriter(file, typeName: typeName, fileName: fileName).code
        } catch {
            self.diagnostics = error.diagnostics.map(\.description)
        }
    }
}
