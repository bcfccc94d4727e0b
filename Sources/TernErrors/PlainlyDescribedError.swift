// SPDX-License-Identifier: Apache-2.0

/// An error that a ``ClientError`` may quote, because its text contains nothing of a request or a response.
package protocol PlainlyDescribedError: Error, CustomStringConvertible {}
