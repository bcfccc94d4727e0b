// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// Generates a Swift type from each `.http` file of a target, before the target is compiled.
@main struct TernEndpoints: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        guard let module = target as? any SourceModuleTarget else { return [] }
        let generator = try context.tool(named: "TernEndpointsGenerator").url
        return self.commands(module.sourceFiles.map(\.url), generator, context.pluginWorkDirectoryURL)
    }

    private func commands(_ files: [URL], _ generator: URL, _ folder: URL) -> [Command] {
        let inputs = files.filter { $0.pathExtension == "http" }
        // Without this check, the build system would report a file that two commands write, or the compiler would
        // report a duplicate type.
        for (name, rivals) in Dictionary(grouping: inputs, by: Self.typeKey) where rivals.count > 1 {
            let paths = rivals.map { $0.path(percentEncoded: false) }.sorted().joined(separator: " and ")
            Diagnostics.error("\(paths) would generate the same type, '\(name)'; give them different names")
        }
        return inputs.map { input in
            let output = folder.appending(path: "\(input.deletingPathExtension().lastPathComponent)+Endpoints.swift")
            return .buildCommand(
                displayName: "Generating Swift code from \(input.lastPathComponent)",
                executable: generator,
                arguments: [input.path(percentEncoded: false), output.path(percentEncoded: false)],
                inputFiles: [input],
                outputFiles: [output]
            )
        }
    }

    /// Returns a key that files share if they generate the same type.
    ///
    /// It ignores case, because file systems may do so, too.
    private static func typeKey(_ file: URL) -> String {
        file.lastPathComponent.prefix { $0 != "." }.lowercased().filter { $0 != "-" && $0 != " " }
    }
}

#if canImport(XcodeProjectPlugin)
import XcodeProjectPlugin

extension TernEndpoints: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
        let generator = try context.tool(named: "TernEndpointsGenerator").url
        return self.commands(target.inputFiles.map(\.url), generator, context.pluginWorkDirectoryURL)
    }
}
#endif
