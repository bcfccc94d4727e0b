// SPDX-License-Identifier: Apache-2.0

extension RequestFile {
    /// Reads a file.
    ///
    /// - Parameter bytes: the content: UTF-8, in lines that end with LF or CRLF.
    /// - Throws: ``RequestFileFailure`` with all that is wrong, at most one error for each request; nothing else.
    /// - Complexity: O(*n*) in the length of the file.
    package init(_ bytes: [UInt8]) throws(RequestFileFailure) {
        var reader = RequestFileReader()
        self = try reader.read(bytes)
    }
}
