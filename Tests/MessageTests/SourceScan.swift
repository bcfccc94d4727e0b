// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Finds the public types that are errors, or reasons of errors, in the sources of the package.
///
/// The tests compare these types and cases with the samples, so that no type or case lacks a sample. The compiler
/// cannot list all error types.
struct SourceScan {
    /// A type, with the name of its module and its cases.
    struct Declaration: Hashable {
        var name: String
        var cases: Set<String>
        var isError: Bool
    }

    private(set) var declarations: [Declaration] = []

    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The modules that no app imports.
    private static let tools = ["TernCommand", "TernEndpointsGenerator", "TernEndpointsWriter", "CZlib"]

    /// The scan of all sources, which runs once.
    static let shared = Result { try SourceScan() }

    private init() throws {
        let sources = Self.root.appending(path: "Sources")
        let modules = try FileManager.default.contentsOfDirectory(atPath: sources.path)
        for module in modules.sorted() where !Self.tools.contains(module) {
            let folder = sources.appending(path: module)
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            where path.hasSuffix(".swift") && !path.contains(".docc/") && !path.contains("Generated/") {
                let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
                self.scan(text, in: module)
            }
        }
    }

    private static let keywords = ["enum ", "struct ", "class ", "extension ", "actor "]

    /// Finds the types and cases in a file.
    ///
    /// The indentation shows which type a line belongs to, because the formatter aligns all files.
    private mutating func scan(_ text: String, in module: String) {
        var open: [(indentation: Int, name: String, index: Int?)] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
            let indentation = line.prefix { $0 == " " }.count
            let words = line.dropFirst(indentation)
            guard !words.hasPrefix("//") else { continue }
            if words.hasPrefix("}") { open.removeAll { $0.indentation >= indentation } }
            // Regular expressions are slow, and most lines are not declarations.
            let isDeclaration = Self.keywords.contains { words.contains($0) }
            if isDeclaration,
                let match = words.firstMatch(
                    of:
                        /^(public |package |private |fileprivate |final |indirect |@\w+ )*(enum|struct|class|extension|actor) ([\w.]+)(.*)$/
                )
            {
                let name = (open.last.map { "\($0.name)." } ?? "\(module).") + String(match.3)
                let isPublic = words.contains("public ") && match.2 != "extension"
                let conformances = match.4.split(separator: ":", maxSplits: 1).last ?? ""
                let isError = conformances.contains(/\bError\b/)
                if isPublic {
                    self.declarations.append(Declaration(name: name, cases: [], isError: isError))
                }
                guard !words.hasSuffix("}") else { continue }
                open.append((indentation, name, isPublic ? self.declarations.count - 1 : nil))
            } else if words.hasPrefix("case "), let match = words.firstMatch(of: /^case (\w.*)$/), let type = open.last,
                let index = type.index,
                indentation == type.indentation + 4
            {
                // A line with several cases has no associated values; a case with values is alone on its line.
                let list = String(match.1)
                let names =
                    list.contains("(")
                    ? [String(list.prefix { $0 != "(" })] : list.split(separator: ", ").map(String.init)
                for name in names {
                    self.declarations[index].cases.insert(String(name.prefix { $0 != " " }))
                }
            }
        }
    }
}
