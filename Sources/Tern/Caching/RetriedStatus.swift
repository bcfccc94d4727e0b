// SPDX-License-Identifier: Apache-2.0
import TernTransport

/// The status of the response that caused a retry.
///
/// The cache does not answer the retry with a stored response of this status, which may be the very response that
/// failed.
enum RetriedStatus: StageContextKey { typealias Value = Int }
