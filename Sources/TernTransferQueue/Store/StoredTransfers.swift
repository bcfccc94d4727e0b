// SPDX-License-Identifier: Apache-2.0
import TernErrors
import TernFiles
import TernFoundation
import TernTransfers

struct StoredTransfers: Sendable {
    private(set) var transfers: [StoredTransfer] = []
    private(set) var queue = StoredQueue()
    private(set) var damagedFiles: [DamagedTransferFile] = []
    private(set) var uploads: [TransferID] = []
    /// The version of the format of the queue's own file, if it is newer than this version of Tern can read.
    private(set) var newerVersion: Int?

    init() {}

    /// Throws only for the queue's own file; files of transfers that cannot be read are in ``damagedFiles``.
    init(in folder: borrowing OpenFolder) throws(FileFailure) {
        let names = folder.names
        self.uploads = names.compactMap { TransferFileName.id(ofUpload: $0) }.sorted()
        for id in names.compactMap({ TransferFileName.id(ofTransfer: $0) }).sorted() {
            self.readTransfer(id, in: folder)
        }
        guard let bytes = try folder.bytes(of: TransferFileName.queue, atMost: Self.limit) else { return }
        do throws(RecordProblem) {
            self.queue = try StoredQueue(decoding: bytes)
        } catch {
            if case .newerVersion(let version) = error { self.newerVersion = version }
            self.damagedFiles.append(DamagedTransferFile(TransferFileName.queue, nil, error))
            // It may have said that all transfers are paused.
            self.queue.isPaused = true
        }
    }

    private static let limit = RecordProblem.maximumByteCount + 1

    private mutating func readTransfer(_ id: TransferID, in folder: borrowing OpenFolder) {
        let name = TransferFileName.transfer(id)
        let bytes: [UInt8]
        do throws(FileFailure) {
            // A transfer that is removed meanwhile does not exist.
            guard let content = try folder.bytes(of: name, atMost: Self.limit) else { return }
            bytes = content
        } catch {
            self.damagedFiles.append(DamagedTransferFile(name: name, id: id, reason: .unreadable(error)))
            return
        }
        do throws(RecordProblem) {
            let transfer = try StoredTransfer(decoding: bytes)
            // A copy of a file must not become a second transfer.
            guard transfer.id == id else { throw .invalid }
            self.transfers.append(transfer)
        } catch {
            self.damagedFiles.append(DamagedTransferFile(name, id, error))
        }
    }
}

extension DamagedTransferFile {
    fileprivate init(_ name: String, _ id: TransferID?, _ problem: RecordProblem) {
        let reason: Reason =
            switch problem {
            case .newerVersion(let version): .newerVersion(version)
            case .tooLong, .unreadable, .damaged, .invalid: .damaged
            }
        self.init(name: name, id: id, reason: reason)
    }
}
