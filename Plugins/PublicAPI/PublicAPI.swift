// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// `swift package public-api`: writes each module's public symbols, one sorted line each, to Documentation/API.
///
/// A line is the symbol's path, a tab and its declaration; then a tab and `undocumented` if no comment is found or
/// inherited. Members that the compiler makes are left out: they have no place in the source for a comment.
@main struct PublicAPI: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) async throws {
        let folder = context.package.directoryURL.appending(path: "Documentation/API")
        try self.files.createDirectory(at: folder, withIntermediateDirectories: true)
        var listed: Set<String> = ["breakages.txt"]
        for module in context.package.products(ofType: LibraryProduct.self).flatMap(\.sourceModules) {
            let name = module.moduleName
            guard module is SwiftSourceModuleTarget, listed.insert("\(name).txt").inserted else { continue }
            let graphs = context.pluginWorkDirectoryURL.appending(path: name)
            try self.writeGraphs(of: module, to: graphs)
            let lines = try self.symbols(in: graphs, of: name).map { "\($0.line)\n" }
            try Data(Set(lines).sorted().joined().utf8).write(to: folder.appending(path: "\(name).txt"))
        }
        for name in try self.files.contentsOfDirectory(atPath: folder.path)
        where name.hasSuffix(".txt") && !listed.contains(name) {
            try self.files.removeItem(at: folder.appending(path: name))  // the module is gone
        }
    }

    private var files: FileManager { .default }

    /// Moves the symbol graphs of a module to a folder of its own, so that none is left for the next run to find.
    ///
    /// `scripts/docs` reads them there.
    private func writeGraphs(of module: any SourceModuleTarget, to folder: URL) throws {
        let options = PackageManager.SymbolGraphOptions(
            minimumAccessLevel: .public,
            includeSynthesized: false,
            emitExtensionBlocks: true
        )
        let graphs = try self.packageManager.getSymbolGraph(for: module, options: options).directoryURL
        try? self.files.removeItem(at: folder)
        try self.files.moveItem(at: graphs, to: folder)
    }

    /// The symbols of one module, and those that it adds to the types of others (`Module@Other.symbols.json`).
    private func symbols(in folder: URL, of module: String) throws -> [SymbolGraph.Symbol] {
        let names = try self.files.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".symbols.json") }
        guard names.contains("\(module).symbols.json") else { throw NoSymbolGraph(module: module) }
        return try names.flatMap { name in
            try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: folder.appending(path: name))).symbols
        }.filter { $0.location != nil && $0.kind.identifier != "swift.extension" }
    }
}

/// The compiler wrote no symbols for a module; an empty listing would hide that.
struct NoSymbolGraph: Error, CustomStringConvertible {
    var module: String
    var description: String { "no symbol graph for \(self.module)" }
}

/// The part of a symbol graph that the listing needs.
struct SymbolGraph: Decodable {
    /// A public declaration.
    struct Symbol: Decodable {
        struct Fragment: Decodable { var spelling: String }
        struct Presence: Decodable {}
        struct Kind: Decodable { var identifier: String }

        var kind: Kind
        var pathComponents: [String]
        var declarationFragments: [Fragment]
        var docComment: Presence?
        var location: Presence?

        /// The symbol as the listing shows it.
        var line: String {
            let path = self.pathComponents.joined(separator: ".")
            let declaration = self.declarationFragments.map(\.spelling).joined().split(whereSeparator: \.isWhitespace)
            return "\(path)\t\(declaration.joined(separator: " "))\(self.docComment == nil ? "\tundocumented" : "")"
        }
    }

    var symbols: [Symbol]
}
