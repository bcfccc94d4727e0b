// SPDX-License-Identifier: Apache-2.0
import Crypto
import TernErrors

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension CacheFiles {
    /// As long as the digest that is made with it (RFC 2104 §3).
    private static let keyByteCount = 32

    /// Beside the folders of heads and bodies: what is forgotten does not cost the key.
    private var keyPath: String { "\(self.root)/key" }

    /// The secret of the folder; made if there is none, or none that only its owner can read.
    func digestKey() throws(CacheStoreFailure) -> [UInt8] {
        if let key = self.readKey() { return key }
        let key = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
        let (temporary, descriptor) = try self.create()
        defer { self.delete(.temporary, temporary) }
        let failure = key.withUnsafeBytes { FileDescriptor.write($0, to: descriptor) }
        close(descriptor)
        if let failure { throw .file(failure) }
        let source = self.path(.temporary, temporary)
        // A link is never made in place of another file: of several processes, the first one decides for all.
        if link(source, self.keyPath) == 0 { return key }
        if errno == EEXIST, let first = self.readKey() { return first }
        guard rename(source, self.keyPath) == 0 else { throw .file(FileFailure(errno: errno)) }
        return key
    }

    /// The key; `nil` if there is none, it is not whole, or others may know it.
    private func readKey() -> [UInt8]? {
        let descriptor = open(self.keyPath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_mode & (S_IRWXG | S_IRWXO) == 0, Int(status.st_size) == Self.keyByteCount
        else { return nil }
        var isWhole = false
        let key = [UInt8](unsafeUninitializedCapacity: Self.keyByteCount) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, Self.keyByteCount, 0))
            isWhole = count == Self.keyByteCount
        }
        return isWhole ? key : nil
    }
}
