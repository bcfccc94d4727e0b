// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernFiles
package import TernFoundation
import TernTransfers

/// Deletes what durable downloads leave beside their destinations, unless one is running; call these functions on a queue.
extension Client {
    /// Deletes the partial file and the record of a download that will not be continued.
    package static func discardUnfinishedDownload(to destination: URL) {
        guard let file = try? PartialFile(of: destination) else { return }
        try? file.perform(.discardRecord)
        try? file.perform(.deletePartialFile)
        try? file.perform(.synchronizeFolder)
        file.finish()
        OpenFile.closeLocked(file.descriptor)
    }

    /// Deletes the record of a download whose complete file is in its place, if the process ended before it could.
    package static func discardRecord(ofCompleteDownload destination: URL) {
        guard PartialFile.hasRecord(for: destination), let file = try? PartialFile(of: destination) else { return }
        if case .usable(let record) = file.stored, record.isWhole, let number = record.fileNumber,
            file.found.destination?.number == number
        {
            try? file.perform(.discardRecord)
            try? file.perform(.synchronizeFolder)
        }
        file.finish()
        OpenFile.closeLocked(file.descriptor)
    }
}
