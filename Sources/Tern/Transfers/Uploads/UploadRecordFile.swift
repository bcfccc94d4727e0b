// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import TernConnections
import TernErrors
import TernFiles
import TernFoundation
import TernTransfers

/// The record of an upload, as a file.
///
/// The file has a lock (`flock`), so that no other call and no other process uses the record. The lock ends with the
/// process, however the process ends. While there is no record, the file is empty, because a file that does not exist
/// cannot have a lock.
final class UploadRecordFile: Sendable {
    /// The record that the file contained when it was opened.
    let stored: StoredUpload

    private let folder: OpenFolder
    private let name: String
    private let newName: String
    private let queue = DispatchQueue(label: "tern.upload-record")
    /// The descriptor of the file that has the lock; `nil` after ``finish()``.
    private let descriptor: Mutex<CInt?>

    /// Opens and locks the file of a record, and creates it if necessary.
    ///
    /// - Throws: `notAFileURL` when the location is not a file URL; `inUse` when another upload has the lock;
    ///   `notPermitted` when the file is not a regular file or belongs to another user; another failure of the file
    ///   system.
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

    /// Returns the default location of the record of a file's upload.
    static func location(for file: URL) -> URL {
        let folder = file.deletingLastPathComponent()
        let maximum = OpenFolder.maximumNameByteCount(inFolder: folder.path)
        let names = TransferFileNames(for: file.lastPathComponent, maximumByteCount: maximum)
        return folder.appendingPathComponent(names.upload)
    }

    /// Opens the file like ``init(at:)``, without blocking the caller's thread.
    ///
    /// If no descriptor is free, closes idle connections.
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

    /// Performs actions one after the other, without waiting for them.
    ///
    /// - Parameters:
    ///   - steps: The actions.
    ///   - onFailure: Called when an action fails; the actions after it are not performed.
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

    /// Replaces the content of the file.
    ///
    /// The new file is locked before it gets the name of the record, so no other process can lock it.
    private func replace(with bytes: [UInt8]) throws(FileFailure) {
        let new = try self.folder.replace(self.name, with: bytes, by: self.newName, isLocked: true)
        let old = self.descriptor.withLock { descriptor in
            defer { descriptor = new }
            return descriptor
        }
        if let old { OpenFile.closeLocked(old) }
    }

    /// Ends the use of the file: deletes it if it is empty, and releases the lock.
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
