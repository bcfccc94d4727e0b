// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

/// The priority of a request among others to the same server (RFC 9218).
///
/// The server may send the response of a more urgent request first. The client sends the priority in the field
/// `Priority`, with every version of HTTP.
///
/// ```swift
/// let (photo, _) = try await client.data(for: Request(url: url).priority(RequestPriority(urgency: 5)))
/// ```
public struct RequestPriority: Hashable, Sendable {
    /// The urgency, from 0 (most urgent) to 7 (least urgent).
    ///
    /// Defaults to 3, the urgency of a request without a priority (RFC 9218 §4.1). The initializer replaces a value
    /// outside of the range with the nearest one.
    public let urgency: Int
    /// Whether the client can use a part of the response before the rest has arrived.
    ///
    /// The server may send such responses in turns, piece by piece (RFC 9218 §4.2). Defaults to `false`.
    public let isIncremental: Bool

    /// Creates a priority.
    ///
    /// - Parameters:
    ///   - urgency: The urgency, from 0 (most urgent) to 7 (least urgent). Defaults to 3.
    ///   - isIncremental: Whether a part of the response is useful before the rest. Defaults to `false`.
    public init(urgency: Int = 3, isIncremental: Bool = false) {
        self.urgency = min(max(urgency, 0), 7)
        self.isIncremental = isIncremental
    }

    /// The value of the field `Priority`, a dictionary of structured fields (RFC 9218 §4).
    package var fieldValue: String { self.isIncremental ? "u=\(self.urgency), i" : "u=\(self.urgency)" }
}

extension Request {
    /// Sets the priority of the request among others to the same server, in the field `Priority` (RFC 9218 §5).
    ///
    /// To change the priority while the request is under way, pass an ``AdjustablePriority`` instead.
    ///
    /// - Parameter priority: The priority.
    /// - Returns: A changed copy.
    public func priority(_ priority: RequestPriority) -> Request {
        self.with { request in
            request.options.adjustablePriority = nil
            request.fields.set(priority)
        }
    }
}

extension HTTPFields {
    private static let priority = HTTPField.Name("Priority")

    /// Sets the field `Priority`; returns whether its value changed.
    @discardableResult
    package mutating func set(_ priority: RequestPriority) -> Bool {
        guard let name = Self.priority, self[name] != priority.fieldValue else { return false }
        self[name] = priority.fieldValue
        return true
    }
}
