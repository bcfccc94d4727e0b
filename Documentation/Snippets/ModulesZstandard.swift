// SPDX-License-Identifier: Apache-2.0
// The code in the page and the comments of TernZstandard. scripts/check snippets fails if
// the two copies differ.

// snippet.module-zstandard
import Tern
import TernZstandard

// snippet.end

func askingForZstandard() -> Client {
    // snippet.module-zstandard
    var configuration = Client.Configuration()
    configuration.contentCodecs = [.zstandard]
    let client = Client(configuration: configuration)
    // snippet.end
    return client
}
