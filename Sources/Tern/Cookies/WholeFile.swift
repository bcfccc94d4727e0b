// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
import TernErrors
import TernFiles
import TernFoundation

/// Reads and replaces a small private file as a whole; call it on a dispatch queue, because it waits for the disk.
enum WholeFile {
    /// Reads a file, or empty data if it does not exist; throws `.notPermitted` when another user may have written it.
    static func read(_ place: FilePath, atMost limit: Int) throws(CookieFileError) -> Data {
        guard let descriptor = try Self.open(place) else { return Data() }
        defer { close(descriptor) }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = buffer.withUnsafeMutableBytes { OpenFile.read(from: descriptor, into: $0) }
            guard count >= 0 else { throw .file(FileFailure(errno: errno)) }
            guard count > 0 else { return data }
            data.append(contentsOf: buffer[..<count])
            guard data.count <= limit else { throw .tooLong }
        }
    }

    private static func open(_ place: FilePath) throws(CookieFileError) -> CInt? {
        do throws(FileFailure) {
            let folder = try OpenFolder(path: place.folder)
            guard folder.status(of: place.name) != nil else { return nil }
            // O_NONBLOCK: if the file is a pipe, opening it would otherwise wait for a writer.
            let descriptor = try folder.open(place.name, O_RDONLY | O_NONBLOCK)
            do throws(FileFailure) {
                let status = try FileStatus(descriptor: descriptor)
                if status.kind == .folder { throw .isDirectory }
                if status.kind != .regular { throw .notAFile }
                if status.isWritableByOthers || !status.isOwn && !status.isOwnedByRoot { throw .notPermitted }
                return descriptor
            } catch {
                close(descriptor)
                throw error
            }
        } catch {
            throw .file(error)
        }
    }

    /// Replaces a private file in one step, written to the disk first, so that a power failure leaves no empty file.
    static func replace(_ place: FilePath, with data: Data) throws(CookieFileError) {
        do throws(FileFailure) {
            let folder = try OpenFolder(path: place.folder)
            let partial = Self.form(place).make()
            let descriptor = try folder.createLocked(partial)
            defer { OpenFile.closeLocked(descriptor) }
            do throws(FileFailure) {
                if let failure = data.withUnsafeBytes({ OpenFile.write($0, to: descriptor) }) { throw failure }
                guard fsync(descriptor) == 0 else { throw FileFailure(errno: errno) }
                try folder.move(partial, to: folder, place.name)
            } catch {
                folder.delete(partial)
                throw error
            }
            folder.synchronize()  // makes the name durable, too
        } catch {
            throw .file(error)
        }
    }

    /// Deletes partial files that a terminated program left beside the file, because they contain cookies, too.
    static func deleteLeftovers(of place: FilePath) {
        guard let folder = try? OpenFolder(path: place.folder) else { return }
        Self.form(place).deleteAbandoned(in: folder)
    }

    private static func form(_ place: FilePath) -> TemporaryFileName {
        let maximum = OpenFolder.maximumNameByteCount(inFolder: place.folder)
        return TemporaryFileName(for: place.name, maximumByteCount: maximum)
    }
}
