// SPDX-License-Identifier: Apache-2.0
public import TernTransport
public import TernValidation

extension ValidationRule {
    /// A rule of the application's own.
    ///
    /// ```swift
    /// let isFresh = ValidationRule.custom("fresh") { response in response[.age] == nil }
    /// ```
    ///
    /// Make it once and keep it: each is equal to itself only.
    ///
    /// - Parameters:
    ///   - name: what the failure calls it, `ValidationFailure.Rule.custom(name)`; it is shown in logs.
    ///   - check: whether the head of the response is accepted. It may wait for something; when the call is cancelled or
    ///     its time is over, it is cancelled and waited for no longer. A `ClientError` that it throws ends the call;
    ///     what else it throws does so as `ClientError.interceptorFailed`.
    /// - Returns: the rule.
    public static func custom(
        _ name: String,
        _ check: @escaping @Sendable (Response) async throws -> Bool
    ) -> ValidationRule {
        let rule = CustomRule(name: name) { response in
            // The stage gives nothing else.
            guard let response = response as? Response else { return true }
            return try await check(response)
        }
        return ValidationRule(.custom(rule))
    }
}
