// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
package import TernErrors

package struct FilePath: Hashable, Sendable {
    /// The maximum number of links to follow, as on Linux.
    private static let maximumLinkCount = 40

    package let folder: String
    /// Empty if the path ends with a slash.
    package let name: String

    package init(_ path: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            (self.folder, self.name) = (".", path)
            return
        }
        self.folder = slash == path.startIndex ? "/" : String(path[..<slash])
        self.name = String(path[path.utf8.index(after: slash)...])
    }

    package var path: String { self.folder == "/" ? "/\(self.name)" : "\(self.folder)/\(self.name)" }

    /// Follows the links at the end of a path; throws `notPermitted` if neither this user nor root owns one: in a shared folder,
    /// another user can replace this user's file with a link, and so choose the file that this process writes.
    package init(followingOwnLinks path: String) throws(FileFailure) {
        var place = FilePath(path)
        for _ in 0..<Self.maximumLinkCount {
            var status = stat()
            guard lstat(place.path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else {
                self = place
                return
            }
            guard status.st_uid == geteuid() || status.st_uid == 0 else { throw .notPermitted }
            let target = try place.linkTarget()
            place = FilePath(target.hasPrefix("/") ? target : "\(place.folder)/\(target)")
        }
        throw .system(errno: ELOOP)
    }

    private func linkTarget() throws(FileFailure) -> String {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, initializedCount in
            count = buffer.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { readlink(self.path, $0, text.count) } ?? 0
            }
            initializedCount = max(0, count)
        }
        guard count > 0 else { throw FileFailure(errno: errno) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
