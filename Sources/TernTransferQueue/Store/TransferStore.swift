// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import TernCLibrary
import TernConnections
import TernErrors
import TernFiles
import TernFoundation
import TernTransfers

/// The locked directory of a queue; methods that use its files wait for the disk, so call them within ``perform(_:)``.
final class TransferStore: Sendable {
    enum Step: Hashable, Sendable {
        case write(String)
        case written(String)
        case delete(String)
    }

    typealias Fault = @Sendable (Step) -> FileFailure?

    private let url: URL
    private let folder: OpenFolder
    /// `nil` after ``releaseLock()``.
    private let lock: Mutex<CInt?>
    private let fault: Fault?
    private let queue = DispatchQueue(label: "tern.transfer-queue")

    /// Throws `inUse` when another queue has the lock, and `notPermitted` when the directory does not belong to this user alone.
    init(at url: URL, fault: Fault? = nil) throws(FileFailure) {
        guard url.isFileURL else { throw .notAFileURL }
        let place = FilePath(url.path)
        try OpenFolder(path: place.folder).makeFolder(place.name)
        let folder = try OpenFolder(ownPath: url.path)
        self.lock = Mutex(try folder.openLocked(TransferFileName.lock))
        self.folder = folder
        self.url = url
        self.fault = fault
    }

    deinit { self.releaseLock() }

    /// The ``TransferQueue`` calls this in its `deinit`, because a closure that still runs may retain the store for a moment.
    func releaseLock() {
        if let descriptor = self.lock.withLock({ $0.take() }) { OpenFile.closeLocked(descriptor) }
    }

    static func open(at url: URL, fault: Fault?) async throws(FileFailure) -> TransferStore {
        let outcome = await DispatchQueue.global().perform { () -> Result<TransferStore, FileFailure> in
            do throws(FileFailure) {
                return .success(try TransferStore(at: url, fault: fault))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// Runs work on the queue of the store; cancelling the task does not interrupt it.
    func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await self.queue.perform(work)
    }

    // MARK: Changing

    func write(_ transfer: StoredTransfer) throws(FileFailure) {
        try self.write(TransferFileName.transfer(transfer.id), transfer.encoded)
    }

    func write(_ queue: StoredQueue) throws(FileFailure) { try self.write(TransferFileName.queue, queue.encoded) }

    private func write(_ name: String, _ bytes: [UInt8]) throws(FileFailure) {
        try self.check(.write(name))
        do throws(FileFailure) {
            close(try self.folder.replace(name, with: bytes, by: TransferFileName.new(name)))
        } catch {
            // On a full disk, a part of the new file would take space that others need.
            self.folder.delete(TransferFileName.new(name))
            throw error
        }
        try self.check(.written(name))
        self.folder.synchronize()
    }

    func delete(_ id: TransferID) throws(FileFailure) {
        let name = TransferFileName.transfer(id)
        try self.check(.delete(name))
        self.folder.delete(name)
        guard self.folder.status(of: name) == nil else { throw .notPermitted }
        self.folder.synchronize()
    }

    private func check(_ step: Step) throws(FileFailure) {
        if let failure = self.fault?(step) { throw failure }
    }

    // MARK: Records of uploads

    func uploadRecord(of id: TransferID) -> URL { self.url.appendingPathComponent(TransferFileName.upload(id)) }

    func hasUploadRecord(of id: TransferID) -> Bool {
        let limit = RecordProblem.maximumByteCount + 1
        guard let bytes = try? self.folder.bytes(of: TransferFileName.upload(id), atMost: limit) else { return false }
        return (try? UploadRecord(decoding: bytes)) != nil
    }

    func deleteUploadRecord(of id: TransferID) {
        let name = TransferFileName.upload(id)
        guard self.folder.status(of: name) != nil else { return }
        self.folder.delete(name)
        self.folder.synchronize()
    }

    // MARK: Reading

    /// Reads all files, and deletes the new files that a process had not renamed when it ended.
    func load() throws(FileFailure) -> StoredTransfers {
        for name in self.folder.names where TransferFileName.isNew(name) { self.folder.delete(name) }
        return try StoredTransfers(in: self.folder)
    }
}
