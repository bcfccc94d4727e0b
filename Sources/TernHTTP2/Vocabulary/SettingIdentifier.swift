// SPDX-License-Identifier: Apache-2.0

/// The identifier of a setting (RFC 9113 §6.5.2); the client ignores unknown settings.
package struct SettingIdentifier: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let headerTableSize = SettingIdentifier(rawValue: 0x1)
    package static let enablePush = SettingIdentifier(rawValue: 0x2)
    package static let maximumConcurrentStreams = SettingIdentifier(rawValue: 0x3)
    package static let initialWindowSize = SettingIdentifier(rawValue: 0x4)
    package static let maximumFrameSize = SettingIdentifier(rawValue: 0x5)
    package static let maximumHeaderListSize = SettingIdentifier(rawValue: 0x6)
    /// SETTINGS_ENABLE_CONNECT_PROTOCOL (RFC 8441 §3).
    package static let enableConnectProtocol = SettingIdentifier(rawValue: 0x8)
    /// SETTINGS_NO_RFC7540_PRIORITIES (RFC 9218 §2.1).
    package static let noRFC7540Priorities = SettingIdentifier(rawValue: 0x9)
}

extension SettingIdentifier: CustomStringConvertible {
    package var description: String { "\(self.rawValue)" }
}
