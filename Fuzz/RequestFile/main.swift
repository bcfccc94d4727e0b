// SPDX-License-Identifier: Apache-2.0

import TernEndpointsWriter
import TernErrors
import TernRequestFiles
import TernRequests

/// Reads bytes as a request file, generates Swift code, and inserts hostile values into the file's paths and JSON.
///
/// The target traps if a value changes more than its variable.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzRequestFile(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    fuzzSending(bytes)
    do throws(RequestFileFailure) {
        let file = try RequestFile(bytes)
        precondition(file.warnings.allSatisfy(\.isWarning), "an error among the warnings")
        for request in file.requests { check(request) }
        precondition(Generation(bytes, fileName: "Photos.http").code != nil, "no code of a file without errors")
    } catch {
        precondition(error.diagnostics.contains { !$0.isWarning }, "a failure without an error")
        precondition(error.diagnostics.count <= RequestFileLimits.maximumDiagnosticCount, "too many diagnostics")
        let lineCount = bytes.count { $0 == 0x0A } + 1
        for diagnostic in error.diagnostics {
            precondition((1...lineCount).contains(diagnostic.position.line), "a line outside of the file")
            precondition((1...(bytes.count + 1)).contains(diagnostic.position.column), "a column outside of the file")
        }
        precondition(Generation(bytes, fileName: "Photos.http").code == nil, "code of a file with errors")
    }
    return 0
}

/// Reads bytes as a file whose requests are sent, with the forms of other editors.
///
/// The target traps if a request that a strict reader accepts is read differently, or if the errors exceed the limits.
func fuzzSending(_ bytes: [UInt8]) {
    guard let file = try? RequestFile(bytes, for: .sending) else {
        return precondition(bytes.count > RequestFileLimits.maximumByteCount, "an error costs the whole file")
    }
    precondition(file.warnings.allSatisfy(\.isWarning), "an error among the warnings")
    precondition(file.errors.allSatisfy { !$0.isWarning }, "a warning among the errors")
    precondition(file.errors.count <= RequestFileLimits.maximumDiagnosticCount, "too many errors")
    let count = file.requests.count + file.failedRequests.count
    precondition(count <= RequestFileLimits.maximumRequestCount, "too many requests")
    for request in file.requests {
        check(request)
        for name in request.variableNames { _ = ValueExpression(name) }
        guard case .template(let template) = request.server else { continue }
        _ = try? ServerAddress.text(of: template) { _ in "a/../b" }
    }
    guard let strict = try? RequestFile(bytes) else { return }
    precondition(file.requests == strict.requests, "a request without errors is read differently")
    precondition(file.failedRequests.isEmpty && file.errors.isEmpty, "an error in a file without errors")
}

/// Returns the target with a value for each of its variables.
func target(of request: RequestDefinition, with value: String) -> RequestTarget {
    var target = RequestTarget.StringInterpolation(literalCapacity: 0, interpolationCount: 0)
    for piece in request.target.pieces {
        switch piece {
        case .text(let text): target.appendLiteral(text)
        case .variable: target.appendInterpolation(value)
        }
    }
    return RequestTarget(stringInterpolation: target)
}

/// Returns whether a target has a variable before the query.
///
/// A variable with a value in the file is not a parameter of the generated code, but a caller can replace its value.
func hasVariableInPath(_ request: RequestDefinition) -> Bool {
    for piece in request.target.pieces {
        switch piece {
        case .text(let text): if text.unicodeScalars.contains("?") { return false }
        case .variable: return true
        }
    }
    return false
}

/// Checks the invariants of accepted values.
func check(_ request: RequestDefinition) {
    precondition(request.parameters.allSatisfy { !$0.places.isEmpty }, "a parameter without a place")
    // The value does not begin with a slash, which would turn a preceding dot in the file into a path step.
    let hostile = "a..b/?#&\"\\\r\n\u{2028}%2e"
    let path = target(of: request, with: hostile)
    precondition(path.problem == nil, "a target that the parser accepts has a problem")
    let hasVariableInPath = hasVariableInPath(request)
    let leadsUp = target(of: request, with: "/../").problem
    precondition(leadsUp == (hasVariableInPath ? .dotSegment : nil), "a value leads up, or is refused in a query")
    // Compares scalars, because a slash and a following combining mark are one `Character`.
    let slashCount = request.target.pieces.map { piece in
        if case .text(let text) = piece { text.unicodeScalars.prefix { $0 != "?" }.count { $0 == "/" } } else { 0 }
    }
    precondition(path.path.count { $0 == "/" } <= slashCount.reduce(0, +), "a value has become a component")
    guard case .json(let template)? = request.body else { return }
    var json = JSONText.StringInterpolation(literalCapacity: 0, interpolationCount: 0)
    for piece in template.pieces {
        switch piece {
        case .text(let text): json.appendLiteral(text)
        case .variable: json.appendInterpolation(hostile)
        }
    }
    precondition(JSONText(stringInterpolation: json).problem == nil, "JSON that the parser accepts has a problem")
}
