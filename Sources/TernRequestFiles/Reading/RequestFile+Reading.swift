// SPDX-License-Identifier: Apache-2.0

extension RequestFile {
    /// Parses a file.
    ///
    /// - Parameter bytes: The content: UTF-8, in lines that end with LF or CRLF.
    /// - Throws: ``RequestFileFailure`` if there are errors. The failure contains at most one error for each variable
    ///   and each request, and the warnings; in total, at most ``RequestFileLimits/maximumDiagnosticCount``.
    /// - Complexity: O(*n*) in the length of the file.
    package init(_ bytes: [UInt8]) throws(RequestFileFailure) {
        var reader = RequestFileReader()
        self = try reader.read(bytes)
    }
}
