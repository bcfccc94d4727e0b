// SPDX-License-Identifier: Apache-2.0
import TernFiles
package import TernRequests

extension FileIdentity {
    /// Creates the identity of an open file; `nil` if the system cannot tell the file's status.
    package init?(descriptor: CInt) {
        guard let status = try? FileStatus(descriptor: descriptor) else { return nil }
        self.init(
            byteCount: status.byteCount,
            modificationNanoseconds: status.time,
            number: status.number,
            device: status.device
        )
    }
}
