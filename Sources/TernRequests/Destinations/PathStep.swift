// SPDX-License-Identifier: Apache-2.0

/// `.` and `..` in a path, which servers take for steps in the tree.
enum PathStep {
    /// Whether there is one in a text that is, or will be, decoded.
    ///
    /// Many servers decode first and look for steps then, so that `..%2Fadmin` leads up; some take a backslash for a slash;
    /// and those that know parameters of a component (RFC 3986 §3.3) take `..;v=1` for a step, too.
    static func isIn(_ text: String) -> Bool {
        // By scalars: a slash and a combining mark behind it are one `Character`.
        text.unicodeScalars.split { $0 == "/" || $0 == "\\" }.contains { piece in
            let name = piece.prefix { $0 != ";" }
            return name.elementsEqual(".".unicodeScalars) || name.elementsEqual("..".unicodeScalars)
        }
    }
}
