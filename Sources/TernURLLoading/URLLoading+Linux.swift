// SPDX-License-Identifier: Apache-2.0
// Compiled and run on Linux with glibc; never compiled with musl or for Android, which have the same modules.

#if !canImport(Darwin)
@_exported public import Foundation
@_exported public import FoundationNetworking
#endif
