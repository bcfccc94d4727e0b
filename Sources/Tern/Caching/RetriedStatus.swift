// SPDX-License-Identifier: Apache-2.0
import TernTransport

/// The status of the response that a retry followed.
///
/// What a cache holds with this status is not the answer.
enum RetriedStatus: StageContextKey { typealias Value = Int }
