// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
package import TernErrors

extension FileFailure {
    /// Creates the failure for a file that the client writes, from the system's error number.
    package init(errno: CInt) {
        switch errno {
        case ENOENT, ENOTDIR: self = .folderNotFound
        case EEXIST: self = .alreadyExists
        case EISDIR: self = .isDirectory
        case EACCES, EPERM, EROFS: self = .notPermitted
        case ENOSPC, EDQUOT, EFBIG: self = .diskFull
        default: self = .system(errno: errno)
        }
    }

    /// Whether the file could not be opened because no descriptor is free.
    package var saysNoDescriptorIsFree: Bool {
        if case .system(let errno) = self { errno.saysNoDescriptorIsFree } else { false }
    }
}
