// SPDX-License-Identifier: Apache-2.0
import TernTransport

/// The status that caused a retry, which a stored response with this status, perhaps the same, must not answer.
enum RetriedStatus: StageContextKey { typealias Value = Int }
