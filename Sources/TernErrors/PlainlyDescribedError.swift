// SPDX-License-Identifier: Apache-2.0

/// An error whose text a ``ClientError`` may quote in its own description, because the text contains nothing of a
/// request or a response.
package protocol PlainlyDescribedError: Error, CustomStringConvertible {}
