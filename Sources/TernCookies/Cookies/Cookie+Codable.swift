// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Cookie: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, nameBytes, value, valueBytes, domain, hostOnly, path, expires, secure, httpOnly, sameSite, created
    }

    /// Reads a cookie, and checks it as if it had been made by hand.
    ///
    /// - Parameter decoder: holds what ``encode(to:)`` wrote.
    /// - Throws: `DecodingError`, also if what is there cannot be a cookie.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            nameBytes: try values.bytes(.name, .nameBytes),
            valueBytes: try values.bytes(.value, .valueBytes),
            domain: try values.decode(String.self, forKey: .domain),
            isHostOnly: try values.decode(Bool.self, forKey: .hostOnly),
            path: try values.decode(String.self, forKey: .path),
            expiry: try values.decodeIfPresent(Double.self, forKey: .expires).map(Date.init(timeIntervalSince1970:)),
            isSecure: try values.decode(Bool.self, forKey: .secure),
            isHTTPOnly: try values.decode(Bool.self, forKey: .httpOnly),
            sameSite: try values.decode(SameSite.self, forKey: .sameSite),
            creation: Date(timeIntervalSince1970: try values.decode(Double.self, forKey: .created))
        )
        do throws(CookieViolation) {
            try self.validate()
        } catch {
            let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: error.description)
            throw DecodingError.dataCorrupted(context)
        }
    }

    /// Writes the cookie with its value: what comes out is as secret as the value.
    ///
    /// - Parameter encoder: takes names, values and times; these in seconds since 1970.
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(self.nameBytes, .name, .nameBytes)
        try values.encode(self.valueBytes, .value, .valueBytes)
        try values.encode(self.domain, forKey: .domain)
        try values.encode(self.isHostOnly, forKey: .hostOnly)
        try values.encode(self.path, forKey: .path)
        try values.encodeIfPresent(self.expiry?.timeIntervalSince1970, forKey: .expires)
        try values.encode(self.isSecure, forKey: .secure)
        try values.encode(self.isHTTPOnly, forKey: .httpOnly)
        try values.encode(self.sameSite, forKey: .sameSite)
        try values.encode(self.creation.timeIntervalSince1970, forKey: .created)
    }
}

extension KeyedDecodingContainer {
    /// Text, or bytes that are none.
    fileprivate func bytes(_ text: Key, _ bytes: Key) throws -> [UInt8] {
        if let data = try self.decodeIfPresent(Data.self, forKey: bytes) { return Array(data) }
        return Array(try self.decode(String.self, forKey: text).utf8)
    }
}

extension KeyedEncodingContainer {
    fileprivate mutating func encode(_ value: [UInt8], _ text: Key, _ bytes: Key) throws {
        if let string = String(validating: value, as: UTF8.self) {
            try self.encode(string, forKey: text)
        } else {
            try self.encode(Data(value), forKey: bytes)
        }
    }
}
