// SPDX-License-Identifier: Apache-2.0

extension RequestFile {
    /// Parses a file from which code is generated.
    ///
    /// - Parameter bytes: The content: UTF-8, in lines that end with LF or CRLF.
    /// - Throws: ``RequestFileFailure`` if there are errors. The failure contains at most one error for each variable
    ///   and each request, and the warnings; in total, at most ``RequestFileLimits/maximumDiagnosticCount``.
    /// - Complexity: O(*n*) in the length of the file.
    package init(_ bytes: [UInt8]) throws(RequestFileFailure) {
        try self.init(bytes, for: .generating)
    }

    /// Parses a file.
    ///
    /// - Parameters:
    ///   - bytes: The content: UTF-8, in lines that end with LF or CRLF.
    ///   - purpose: The use of the file. For ``Purpose/sending``, ``failedRequests`` and ``errors`` have the errors.
    /// - Throws: ``RequestFileFailure`` if there are errors and the purpose is ``Purpose/generating``, or if the file is
    ///   too long.
    /// - Complexity: O(*n*) in the length of the file.
    package init(_ bytes: [UInt8], for purpose: Purpose) throws(RequestFileFailure) {
        var reader = RequestFileReader(purpose)
        self = try reader.read(bytes)
    }
}
