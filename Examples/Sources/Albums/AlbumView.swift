// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
import SwiftUI

/// The albums, or the message that says why they are missing.
struct AlbumView: View {
    @State var list: AlbumList

    var body: some View {
        List(self.list.albums) { Text($0.title) }
            .overlay { if let message = self.list.message { Text(message) } }
            .task { await self.list.load() }
            .refreshable { await self.list.load() }
    }
}

/// The view in the canvas of Xcode.
struct AlbumViewPreviews: PreviewProvider {
    static var previews: some View { AlbumView(list: AlbumList(.preview)) }
}
#endif
