// SPDX-License-Identifier: Apache-2.0

package enum StoredUpload: Hashable, Sendable {
    case absent
    case unusable(RecordProblem)
    case usable(UploadRecord)
}
