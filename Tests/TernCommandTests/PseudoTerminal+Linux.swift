// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl or for Android.

#if !canImport(Darwin)
import TernCLibrary

extension PseudoTerminal {
    /// Unlocks the terminal and returns its path, like `unlockpt` and `ptsname`.
    ///
    /// Swift cannot call these functions on Linux; see ioctl_tty(2).
    static func unlock(_ descriptor: CInt) -> String? {
        let (setLock, getNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))
        var (lock, number) = (CInt(0), CUnsignedInt(0))
        guard ioctl(descriptor, setLock, &lock) == 0, ioctl(descriptor, getNumber, &number) == 0 else { return nil }
        return "/dev/pts/\(number)"
    }
}
#endif
