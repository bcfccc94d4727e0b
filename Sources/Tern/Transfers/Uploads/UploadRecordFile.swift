// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import TernConnections
import TernErrors
import TernFiles
import TernFoundation
import TernTransfers

/// The record of an upload, as a file with a lock (`flock`), which ends with the process; empty while there is no record.
final class UploadRecordFile: Sendable {
    let stored: StoredUpload

    private let folder: OpenFolder
    private let name: String
    private let newName: String
    private let queue = DispatchQueue(label: "tern.upload-record")
    /// The descriptor of the file that has the lock; `nil` after ``finish()``.
    private let descriptor: Mutex<CInt?>

    /// Opens and locks the file, and creates it if necessary; throws `inUse` when another upload has the lock.
    init(at location: URL) throws(FileFailure) {
        guard location.isFileURL else { throw .notAFileURL }
        let path = location.deletingLastPathComponent().path
        let folder = try OpenFolder(path: path)
        self.name = location.lastPathComponent
        self.newName = self.name + "-new"
        let descriptor = try folder.openLocked(self.name)
        do throws(FileFailure) {
            self.stored = try Self.record(descriptor)
        } catch {
            OpenFile.closeLocked(descriptor)
            throw error
        }
        folder.delete(self.newName)  // an earlier process may have ended while it wrote this file
        self.descriptor = Mutex(descriptor)
        self.folder = folder
    }

    deinit { self.finish() }

    static func location(for file: URL) -> URL {
        let folder = file.deletingLastPathComponent()
        let maximum = OpenFolder.maximumNameByteCount(inFolder: folder.path)
        let names = TransferFileNames(for: file.lastPathComponent, maximumByteCount: maximum)
        return folder.appendingPathComponent(names.upload)
    }

    /// Opens the file without blocking the caller's thread, and closes idle connections if no descriptor is free.
    static func open(at location: URL) async throws(FileFailure) -> UploadRecordFile {
        try await IdleConnections.process.opening(whileShort: \.saysNoDescriptorIsFree) {
            () async throws(FileFailure) in
            try await self.openOnce(at: location)
        }
    }

    private static func openOnce(at location: URL) async throws(FileFailure) -> UploadRecordFile {
        let outcome = await DispatchQueue.global().perform { () -> Result<UploadRecordFile, FileFailure> in
            do throws(FileFailure) {
                return .success(try UploadRecordFile(at: location))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    private static func record(_ descriptor: CInt) throws(FileFailure) -> StoredUpload {
        let bytes = try OpenFile.bytes(of: descriptor, atMost: RecordProblem.maximumByteCount + 1)
        guard !bytes.isEmpty else { return .absent }
        do throws(RecordProblem) {
            return .usable(try UploadRecord(decoding: bytes))
        } catch {
            return .unusable(error)
        }
    }

    // MARK: Steps

    /// Performs an action on the record, except ``RecordStep/confirm``, after all earlier actions.
    func perform(_ step: RecordStep) async throws(FileFailure) {
        let outcome = await self.queue.perform { () -> Result<Void, FileFailure> in self.performNow(step) }
        try outcome.get()
    }

    /// Performs actions one after the other, up to the first failure, without waiting for them.
    func performLater(_ steps: [RecordStep], onFailure: @escaping @Sendable (FileFailure) -> Void) {
        guard !steps.isEmpty else { return }
        self.queue.async {
            for step in steps {
                guard case .failure(let failure) = self.performNow(step) else { continue }
                return onFailure(failure)
            }
        }
    }

    /// Waits until all earlier actions have ended.
    func settle() async { await self.queue.perform {} }

    private func performNow(_ step: RecordStep) -> Result<Void, FileFailure> {
        do throws(FileFailure) {
            switch step {
            case .write(let record): try self.replace(with: record.encoded)
            case .discard: try self.replace(with: [])
            case .synchronizeFolder: self.folder.synchronize()
            case .confirm: break
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// Replaces the content by a new file, locked before it gets the name of the record, so no other process can lock it.
    private func replace(with bytes: [UInt8]) throws(FileFailure) {
        let new = try self.folder.replace(self.name, with: bytes, by: self.newName, isLocked: true)
        let old = self.descriptor.withLock { descriptor in
            defer { descriptor = new }
            return descriptor
        }
        if let old { OpenFile.closeLocked(old) }
    }

    /// Deletes the file if it is empty, and releases the lock.
    func finish() {
        guard let descriptor = self.descriptor.withLock({ $0.take() }) else { return }
        if let status = try? FileStatus(descriptor: descriptor), status.byteCount == 0,
            self.folder.status(of: self.name)?.number == status.number
        {
            self.folder.delete(self.name)
        }
        OpenFile.closeLocked(descriptor)
    }
}
