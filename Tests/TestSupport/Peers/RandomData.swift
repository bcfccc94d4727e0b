// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension Data {
    /// Returns random bytes, in which a test can detect a piece in the wrong place.
    public static func random(byteCount: Int) throws -> Data {
        let source = try FileHandle(forReadingFrom: URL(filePath: "/dev/urandom"))
        return try source.read(upToCount: byteCount) ?? Data()
    }
}
