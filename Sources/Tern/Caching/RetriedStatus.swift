// SPDX-License-Identifier: Apache-2.0
import TernTransport

/// The status of the response that caused a retry.
///
/// A stored response with this status does not answer the retry.
enum RetriedStatus: StageContextKey { typealias Value = Int }
