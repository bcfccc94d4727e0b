// SPDX-License-Identifier: Apache-2.0

/// An error whose description may stand in that of a ``ClientError``, because it holds nothing of a request or a response.
package protocol PlainlyDescribedError: Error, CustomStringConvertible {}
