// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension Data {
    /// Random bytes, so that a piece in the wrong place is noticed.
    public static func random(byteCount: Int) throws -> Data {
        let source = try FileHandle(forReadingFrom: URL(filePath: "/dev/urandom"))
        return try source.read(upToCount: byteCount) ?? Data()
    }
}
