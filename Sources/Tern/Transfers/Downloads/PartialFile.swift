// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import TernCLibrary
import TernConnections
import TernErrors
import TernFiles
import TernFoundation
import TernTransfers

/// The partial file of a durable download, with its record, in the folder of the destination.
///
/// The file has a lock (`flock`), which ends with the process. The methods wait for the disk, so call them on a queue.
final class PartialFile: Sendable {
    let destinationName: String
    let names: TransferFileNames
    /// The descriptor of the partial file, which ``FileWriter`` closes.
    let descriptor: CInt
    /// The inode of the partial file.
    let number: UInt64
    let stored: StoredRecord
    let found: FoundFiles

    private let folder: OpenFolder
    private let isReserved = Mutex(false)

    /// Opens and locks the partial file, and creates it if necessary; throws `inUse` when another download has the lock.
    init(of destination: URL) throws(FileFailure) {
        guard destination.isFileURL else { throw .notAFileURL }
        let path = destination.deletingLastPathComponent().path
        let folder = try OpenFolder(path: path)
        self.destinationName = destination.lastPathComponent
        let place = folder.status(of: self.destinationName)
        if place?.kind == .folder { throw .isDirectory }
        if place?.kind == .other { throw .notAFile }
        let maximum = OpenFolder.maximumNameByteCount(inFolder: path)
        guard self.destinationName.utf8.count <= maximum else { throw FileFailure(errno: ENAMETOOLONG) }
        self.names = TransferFileNames(for: self.destinationName, maximumByteCount: maximum)

        // Without a record, no byte of the file counts.
        let file = try folder.openGrowing(
            self.names.partial,
            replacedBy: TemporaryFileName(for: self.names.partial, maximumByteCount: maximum),
            keepsContent: folder.status(of: self.names.record) != nil
        )
        let (descriptor, isNew) = (file.descriptor, file.isNew)
        do throws(FileFailure) {
            let status = try FileStatus(descriptor: descriptor)
            let recordTime = folder.status(of: self.names.record)?.time
            self.stored = try Self.record(self.names.record, in: folder)
            folder.delete(self.names.newRecord)  // an earlier process may have ended while it wrote this file
            self.number = status.number
            self.found = FoundFiles(
                partialByteCount: isNew ? nil : status.byteCount,
                partialNumber: isNew ? nil : status.number,
                destination: place.flatMap { Self.destination($0, recordTime: recordTime) }
            )
        } catch {
            OpenFile.closeLocked(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.folder = folder
    }

    /// Returns the file at the destination if an earlier call, which wrote the record first, may have moved it there; the times
    /// have the precision of the system's clock, a few milliseconds.
    private static func destination(_ file: FileStatus, recordTime: Int64?) -> FoundFiles.Destination? {
        guard file.kind == .regular, let recordTime, file.time <= recordTime else { return nil }
        return FoundFiles.Destination(byteCount: file.byteCount, number: file.number)
    }

    /// Opens the partial file without blocking the caller's thread, and closes idle connections if no descriptor is free.
    static func open(for destination: URL) async throws(FileFailure) -> PartialFile {
        try await IdleConnections.process.opening(whileShort: \.saysNoDescriptorIsFree) {
            () async throws(FileFailure) in
            try await self.openOnce(for: destination)
        }
    }

    private static func openOnce(for destination: URL) async throws(FileFailure) -> PartialFile {
        let outcome = await DispatchQueue.global().perform { () -> Result<PartialFile, FileFailure> in
            do throws(FileFailure) {
                return .success(try PartialFile(of: destination))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    static func hasRecord(for destination: URL) -> Bool {
        let path = destination.deletingLastPathComponent().path
        let maximum = OpenFolder.maximumNameByteCount(inFolder: path)
        let names = TransferFileNames(for: destination.lastPathComponent, maximumByteCount: maximum)
        return (try? OpenFolder(path: path))?.status(of: names.record) != nil
    }

    private static func record(_ name: String, in folder: borrowing OpenFolder) throws(FileFailure) -> StoredRecord {
        guard let bytes = try folder.bytes(of: name, atMost: DownloadRecord.maximumByteCount + 1) else {
            return .absent
        }
        do throws(DownloadRecord.Problem) {
            return .usable(try DownloadRecord(decoding: bytes))
        } catch {
            return .unusable(error)
        }
    }

    // MARK: Steps

    /// Performs an action, except ``FileStep/checkDigest(_:)`` and ``FileStep/confirm``; after a failure, the files are still
    /// consistent.
    func perform(_ step: FileStep) throws(FileFailure) {
        switch step {
        case .writeRecord(let record): try self.write(record)
        case .discardRecord: self.folder.delete(self.names.record)
        case .synchronizeFolder: self.folder.synchronize()
        case .truncate(let byteCount): try OpenFile.truncate(self.descriptor, toByteCount: byteCount)
        case .reserve(let byteCount):
            if try OpenFile.reserve(self.descriptor, byteCount: byteCount) { self.isReserved.withLock { $0 = true } }
        case .synchronize: try OpenFile.synchronize(self.descriptor)
        case .checkDigest, .confirm: break
        case .moveIntoPlace: try self.moveIntoPlace()
        case .deletePartialFile: self.folder.delete(self.names.partial)
        }
    }

    /// Moves the partial file to the destination, unless another program has put another file in its place.
    private func moveIntoPlace() throws(FileFailure) {
        guard let named = self.folder.status(of: self.names.partial) else { throw .system(errno: ENOENT) }
        guard named.number == self.number else { throw .inUse }
        try self.folder.move(self.names.partial, to: self.folder, self.destinationName)
    }

    private func write(_ record: DownloadRecord) throws(FileFailure) {
        close(try self.folder.replace(self.names.record, with: record.encoded, by: self.names.newRecord))
    }

    /// Reads the whole file, and returns whether it has a digest; `nil` if `isWanted`, called before each MiB, returns `false`.
    func matches(_ digest: TransferDigest, while isWanted: () -> Bool) throws(FileFailure) -> Bool? {
        try OpenFile.seek(self.descriptor, to: 0)
        var hasher = TransferHasher(digest)
        var failure: FileFailure?
        let isComplete = withUnsafeTemporaryAllocation(byteCount: 1 << 20, alignment: 16) { buffer in
            while isWanted() {
                let count = OpenFile.read(from: self.descriptor, into: buffer)
                if count < 0 { failure = FileFailure(errno: errno) }
                guard count > 0 else { return true }
                hasher.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
            return false
        }
        if let failure { throw failure }
        return isComplete ? hasher.matches() : nil
    }

    /// Releases the lock, and deletes the file if it has no record and is empty or as long as the whole file.
    ///
    /// The descriptor stays open until the writer is released; the next call need not wait for that.
    func finish() {
        if let status = try? FileStatus(descriptor: self.descriptor),
            status.byteCount == 0 || self.isReserved.withLock({ $0 }),
            self.folder.status(of: self.names.record) == nil,
            self.folder.status(of: self.names.partial)?.number == status.number
        {
            self.folder.delete(self.names.partial)
        }
        OpenFile.unlock(self.descriptor)
    }
}
