// SPDX-License-Identifier: Apache-2.0

/// Returns the ways to cut bytes at two places into three chunks, which may be empty.
func everyPairOfCuts(of bytes: [UInt8]) -> [[ArraySlice<UInt8>]] {
    (0...bytes.count).flatMap { first in
        (first...bytes.count).map { second in [bytes[..<first], bytes[first..<second], bytes[second...]] }
    }
}
