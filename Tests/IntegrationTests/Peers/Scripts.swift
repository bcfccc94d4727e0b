// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The programs and settings beside this file, which the peers are made of.
enum Scripts {
    /// The path of one of them.
    static func path(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Scripts/\(name)").path
    }

    /// Python with the packages of `scripts/requirements.txt`.
    static var python: String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        return root.appending(path: ".build/tools/venv/bin/python").path
    }
}
