// SPDX-License-Identifier: Apache-2.0

/// How much a request file may hold; each limit is far above what people write.
public enum RequestFileLimits: Sendable {
    /// How long a file may be, in bytes: 1 MiB.
    public static let maximumByteCount = 1 << 20
    /// How many requests it may have: 1000, each of which becomes a method.
    public static let maximumRequestCount = 1000
    /// How many variables a file may have: 200.
    public static let maximumVariableCount = 200
    /// How long the value of a variable may be, in bytes, when those in it are replaced: 8 KiB, as long as a URL gets.
    public static let maximumValueByteCount = 8 << 10
    /// How many parameters a request may have: 64.
    public static let maximumParameterCount = 64
    /// How many fields a request may have: 100.
    public static let maximumFieldCount = 100
    /// How long a name may be, in bytes: 64.
    public static let maximumNameByteCount = 64
    /// How long a type may be, in bytes: 128.
    public static let maximumTypeByteCount = 128
    /// How deep JSON may be: 64 levels, twice what is read elsewhere.
    public static let maximumJSONDepth = 64
    /// How many errors and warnings are told of one file: 50.
    public static let maximumDiagnosticCount = 50
}
