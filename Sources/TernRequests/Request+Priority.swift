// SPDX-License-Identifier: Apache-2.0
import HTTPTypes

/// The priority of a request among others to the same server (RFC 9218), in the field `Priority`.
///
/// The server may send the response of a more urgent request first.
public struct RequestPriority: Hashable, Sendable {
    package let urgency: Int
    package let isIncremental: Bool

    /// Creates a priority.
    ///
    /// - Parameters:
    ///   - urgency: The urgency, from 0 (most urgent) to 7 (least urgent); a value outside of the range counts as the nearest one.
    ///     Defaults to 3, the urgency of a request without a priority (RFC 9218 §4.1).
    ///   - isIncremental: Whether the client can use a part of the response before the rest; the server may send such responses in
    ///     turns (RFC 9218 §4.2).
    public init(urgency: Int = 3, isIncremental: Bool = false) {
        self.urgency = min(max(urgency, 0), 7)
        self.isIncremental = isIncremental
    }

    package var fieldValue: String { self.isIncremental ? "u=\(self.urgency), i" : "u=\(self.urgency)" }
}

extension Request {
    /// Sets the priority of the request among others to the same server, in the field `Priority` (RFC 9218 §5).
    ///
    /// To change the priority while the request is under way, pass an ``AdjustablePriority`` instead.
    public func priority(_ priority: RequestPriority) -> Request {
        self.with { request in
            request.options.adjustablePriority = nil
            request.fields.set(priority)
        }
    }
}

extension HTTPFields {
    private static let priority = HTTPField.Name("Priority")

    @discardableResult
    package mutating func set(_ priority: RequestPriority) -> Bool {
        guard let name = Self.priority, self[name] != priority.fieldValue else { return false }
        self[name] = priority.fieldValue
        return true
    }
}
