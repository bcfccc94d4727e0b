// SPDX-License-Identifier: Apache-2.0
import TernFoundation

extension URL {
    var withoutUserInfo: URL {
        guard self.user() != nil || self.password() != nil,
            var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        parts.user = nil
        parts.password = nil
        return parts.url ?? self
    }
}
