// SPDX-License-Identifier: Apache-2.0
// Types with general names, as modules of applications declare them. No public type
// of Tern has one of these names.

public struct Router: Sendable {
    public var routes: [Route]

    public init(_ routes: [Route]) { self.routes = routes }
}

public enum Route: Hashable, Sendable { case home, settings, text(Text) }

public struct Endpoint: Hashable, Sendable {
    public var path: String
    public var deadline: Deadline

    public init(path: String, deadline: Deadline) { (self.path, self.deadline) = (path, deadline) }
}

public struct Deadline: Hashable, Sendable {
    public var instant: Instant

    public init(_ instant: Instant) { self.instant = instant }
}

public struct Instant: Hashable, Sendable {
    public init() {}
}

public struct Text: Hashable, Sendable {
    public var content: String

    public init(_ content: String) { self.content = content }
}

public struct Call: Hashable, Sendable {
    public var number: String
    public var reply: Reply?

    public init(number: String) { self.number = number }
}

public enum Reply: Hashable, Sendable { case answered, busy }

public struct Next: Hashable, Sendable {
    public init() {}
}

public struct Pin: Hashable, Sendable {
    public var latitude = 0.0
    public var longitude = 0.0

    public init() {}
}

public enum Mask: Hashable, Sendable { case circle, square }
public enum Variant: Hashable, Sendable { case small, large }
public enum Opcode: UInt8, Hashable, Sendable { case load, store }
public struct Connection: Hashable, Sendable {
    public init() {}
}
public protocol Connector: Sendable {
    func connect() -> Connection
}
public struct Stage: Hashable, Sendable {
    public init() {}
}
public struct Lease: Hashable, Sendable {
    public init() {}
}
public struct Freshness: Hashable, Sendable {
    public init() {}
}
