// SPDX-License-Identifier: Apache-2.0

extension RequestFile {
    /// Parses a file.
    ///
    /// - Parameter bytes: The content: UTF-8, in lines that end with LF or CRLF.
    /// - Throws: Only ``RequestFileFailure``, with all errors: at most one for each request.
    /// - Complexity: O(*n*) in the length of the file.
    package init(_ bytes: [UInt8]) throws(RequestFileFailure) {
        var reader = RequestFileReader()
        self = try reader.read(bytes)
    }
}
