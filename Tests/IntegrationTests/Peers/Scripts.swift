// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The programs and settings beside this file, from which the tests start the peers.
enum Scripts {
    /// Returns the path of a script or of settings.
    static func path(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Scripts/\(name)").path
    }

    /// The path of Python with the packages of `scripts/tools/requirements.txt`.
    static var python: String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
        return root.appending(path: ".build/tools/venv/bin/python").path
    }
}
