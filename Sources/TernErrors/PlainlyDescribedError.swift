// SPDX-License-Identifier: Apache-2.0

/// An error that a ``ClientError`` may quote in its description, because it contains nothing of a request or a
/// response.
package protocol PlainlyDescribedError: Error, CustomStringConvertible {}
