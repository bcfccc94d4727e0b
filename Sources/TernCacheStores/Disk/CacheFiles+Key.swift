// SPDX-License-Identifier: Apache-2.0
import Crypto
import TernCLibrary
import TernErrors
import TernFiles

extension CacheFiles {
    private static let keyByteCount = 32
    /// The file is outside the folders of heads and bodies, so that the key stays when all entries are removed.
    private static let keyName = "key"

    /// Creates a new key if there is none, or if the existing key is incomplete or may be known to other users.
    func digestKey() throws(CacheStoreError) -> [UInt8] {
        if let key = self.readKey() { return key }
        let key = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
        let (temporary, descriptor) = try self.create()
        defer {
            OpenFile.closeLocked(descriptor)
            self.delete(.temporary, temporary)
        }
        if let failure = key.withUnsafeBytes({ OpenFile.write($0, to: descriptor) }) { throw .file(failure) }
        do throws(FileFailure) {
            let root = try OpenFolder(ownPath: self.root)
            let folder = try self.folder(.temporary)
            // Linking never replaces another file. So if several processes create a key, the key of the first counts
            // for all.
            if folder.link(temporary, to: root, Self.keyName) { return key }
            if let first = self.readKey() { return first }
            try folder.move(temporary, to: root, Self.keyName)
        } catch {
            throw .file(error)
        }
        return key
    }

    private func readKey() -> [UInt8]? {
        guard let root = try? OpenFolder(ownPath: self.root),
            let descriptor = try? root.open(Self.keyName, O_RDONLY | O_NONBLOCK)
        else { return nil }
        defer { close(descriptor) }
        guard let status = try? FileStatus(descriptor: descriptor), status.kind == .regular, status.isOwn,
            status.permissions & 0o077 == 0, status.byteCount == Self.keyByteCount
        else { return nil }
        var isWhole = false
        let key = [UInt8](unsafeUninitializedCapacity: Self.keyByteCount) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, Self.keyByteCount, 0))
            isWhole = count == Self.keyByteCount
        }
        return isWhole ? key : nil
    }
}
