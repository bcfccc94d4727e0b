// SPDX-License-Identifier: Apache-2.0
import TernRequestFiles
import Testing

/// Returns the request file with a text.
func read(_ text: String) throws -> RequestFile { try RequestFile(Array(text.utf8)) }

/// Returns the request file with a text, read with the forms of other editors.
func readLeniently(_ text: String) throws -> RequestFile { try RequestFile(Array(text.utf8), for: .sending) }

/// Returns the request of a file with one request without errors, and the sentences of the warnings.
func readOneLeniently(_ text: String) throws -> (request: RequestDefinition, warnings: [String]) {
    let file = try readLeniently(text)
    #expect(file.errors.isEmpty && file.failedRequests.isEmpty, "\(file.errors) \(file.failedRequests)")
    #expect(file.requests.count == 1)
    return (try #require(file.requests.first), file.warnings.map(\.sentence))
}

/// Returns the request of a file with one request.
func readOne(_ text: String) throws -> RequestDefinition {
    let file = try read(text)
    #expect(file.requests.count == 1)
    return try #require(file.requests.first)
}

/// Returns the errors in a file, each as a rule with its line and column.
func problems(_ text: String) -> [String] {
    do throws(RequestFileFailure) {
        _ = try RequestFile(Array(text.utf8))
        return []
    } catch {
        return error.diagnostics.map { "\($0.position) \($0.rule.self)" }
    }
}

extension Template {
    /// Creates a template from its text in a file.
    init(_ text: String) throws {
        let definition = try readOne("POST http://h\nContent-Type: text/plain\n\n\(text)")
        guard case .text(let template)? = definition.body else { throw CancellationError() }
        self = template
    }
}
