// SPDX-License-Identifier: Apache-2.0
public import TernRequests

private enum ValidationOption: RequestOption {
    typealias Value = [ValidationRule]
}

extension RequestOptions {
    /// The rules for the response, in place of the client's; `nil`, the default, leaves it to the client.
    ///
    /// An empty list accepts every response.
    public var validation: [ValidationRule]? {
        get { self[ValidationOption.self] }
        set { self[ValidationOption.self] = newValue }
    }
}

extension Request {
    /// Accepts a response only if rules hold, in place of the client's rules.
    ///
    /// ```swift
    /// let request = Request(url: url).validate(.success, .contentType("application/json"))
    /// ```
    ///
    /// A response that breaks one ends the call with `ClientError.validationFailed`. Called again, it adds rules to those
    /// that the request has. The client's do not hold beside them, so that a request can accept what its client does not.
    ///
    /// - Parameter rules: the rules, looked at in order; without any, ``ValidationRule/success`` and
    ///   ``ValidationRule/accepted``. To accept every response, set `options.validation` to an empty list.
    /// - Returns: a changed copy.
    public func validate(_ rules: ValidationRule...) -> Request {
        let more = rules.isEmpty ? [.success, .accepted] : rules
        return self.with { $0.options.validation = ($0.options.validation ?? []) + more }
    }
}
