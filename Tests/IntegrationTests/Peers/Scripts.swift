// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The programs and settings beside this file, which the peers are made of.
enum Scripts {
    /// The path of one of them.
    static func path(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Scripts/\(name)").path
    }
}
