// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
import TernCLibrary
import TernConnections
import TernErrors
import TernFiles
import TernFoundation
import TernTransfers

/// The directory of a queue, with its lock.
///
/// All changes of the queue's files happen on one serial queue, one after the other; see ``perform(_:)``. The other
/// methods wait for the disk, so call them there.
final class TransferStore: Sendable {
    /// A step of a change, for tests that let it fail.
    enum Step: Hashable, Sendable {
        /// A file is about to be written.
        case write(String)
        /// A file has got its name, and the folder is about to be synchronized.
        case written(String)
        /// A file is about to be deleted.
        case delete(String)
    }

    /// Returns the failure of a step; `nil` if it succeeds.
    typealias Fault = @Sendable (Step) -> FileFailure?

    private let url: URL
    private let folder: OpenFolder
    /// The descriptor of the locked file; `nil` after ``releaseLock()``.
    private let lock: Mutex<CInt?>
    private let fault: Fault?
    private let queue = DispatchQueue(label: "tern.transfer-queue")

    /// Opens and locks a directory, and creates it if necessary.
    ///
    /// - Parameters:
    ///   - url: The location of the directory.
    ///   - fault: Lets steps fail. Defaults to `nil`.
    /// - Throws: `inUse` when another queue has the lock; `notPermitted` when the directory does not belong to this user
    ///   alone; another failure of the file system.
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

    /// Ends the lock of the directory.
    ///
    /// A closure on the queue of the store may retain the store for a moment after its work is done. So the owner calls
    /// this method when it is released, and does not wait for the last reference to the store.
    func releaseLock() {
        if let descriptor = self.lock.withLock({ $0.take() }) { OpenFile.closeLocked(descriptor) }
    }

    /// Opens a directory like ``init(at:fault:)``, without blocking the caller's thread.
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

    /// Runs work on the queue of the store, and waits for its end.
    ///
    /// Cancelling the task does not interrupt the work.
    func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await self.queue.perform(work)
    }

    // MARK: Changing

    /// Writes a transfer; it is on the disk when the method returns.
    func write(_ transfer: StoredTransfer) throws(FileFailure) {
        try self.write(TransferFileName.transfer(transfer.id), transfer.encoded)
    }

    /// Writes the state of the queue itself; it is on the disk when the method returns.
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

    /// Deletes the file of a transfer.
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

    /// Returns the location of the record of an upload.
    func uploadRecord(of id: TransferID) -> URL { self.url.appendingPathComponent(TransferFileName.upload(id)) }

    /// Returns whether a later call can continue an upload by its record.
    func hasUploadRecord(of id: TransferID) -> Bool {
        let limit = RecordProblem.maximumByteCount + 1
        guard let bytes = try? self.folder.bytes(of: TransferFileName.upload(id), atMost: limit) else { return false }
        return (try? UploadRecord(decoding: bytes)) != nil
    }

    /// Deletes the record of an upload, if there is one.
    func deleteUploadRecord(of id: TransferID) {
        let name = TransferFileName.upload(id)
        guard self.folder.status(of: name) != nil else { return }
        self.folder.delete(name)
        self.folder.synchronize()
    }

    // MARK: Reading

    /// Reads all files, and deletes those that a process left while it wrote them.
    func load() throws(FileFailure) -> StoredTransfers {
        for name in self.folder.names where TransferFileName.isNew(name) { self.folder.delete(name) }
        return try StoredTransfers(in: self.folder)
    }
}
