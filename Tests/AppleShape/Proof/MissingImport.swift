// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
/// Calls the C library without an import of Darwin.
enum MissingImport {
    static var process: Int32 { getpid() }  // error: cannot find 'getpid' in scope
}
#endif
