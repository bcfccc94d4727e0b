// SPDX-License-Identifier: Apache-2.0
// Compiled against stand-ins (scripts/check apple); never run.

#if canImport(Darwin)
@_exported public import Foundation
#endif
