// SPDX-License-Identifier: Apache-2.0
import TernTransport

/// The status that caused a retry: a stored response with this status, perhaps the one just received, must not answer the retry.
enum RetriedStatus: StageContextKey { typealias Value = Int }
