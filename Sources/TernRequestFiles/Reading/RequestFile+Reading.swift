// SPDX-License-Identifier: Apache-2.0

extension RequestFile {
    /// Parses a file from which code is generated; throws at most one error for each variable and each request.
    package init(_ bytes: [UInt8]) throws(RequestFileFailure) {
        try self.init(bytes, for: .generating)
    }

    /// Parses a file; instead of storing ``errors``, throws them for ``Purpose/generating``, and if the file is too long.
    package init(_ bytes: [UInt8], for purpose: Purpose) throws(RequestFileFailure) {
        var reader = RequestFileReader(purpose)
        self = try reader.read(bytes)
    }
}
