// SPDX-License-Identifier: Apache-2.0
// Compiled and run over stand-ins on Linux (scripts/test --apple-shape); never on an Apple platform.

#if canImport(Darwin)
@_exported public import Foundation
#endif
