// SPDX-License-Identifier: Apache-2.0
// The code in the page and the comments of TernBrotli. scripts/check snippets fails if
// the two copies differ.

// snippet.module-brotli
import Tern
import TernBrotli

// snippet.end

func askingForBrotli() -> Client {
    // snippet.module-brotli
    var configuration = Client.Configuration()
    configuration.contentCodecs = [.brotli]
    let client = Client(configuration: configuration)
    // snippet.end
    return client
}
