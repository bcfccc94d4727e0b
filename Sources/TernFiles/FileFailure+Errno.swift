// SPDX-License-Identifier: Apache-2.0
import TernCLibrary
package import TernErrors

extension FileFailure {
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

    package var saysNoDescriptorIsFree: Bool {
        if case .system(let errno) = self { errno.saysNoDescriptorIsFree } else { false }
    }
}
