import Foundation
import Tern

enum WoofError: Error {
    case invalidServerResponse
}

final class ProgressBar: TaskDelegate {
    func task(_ task: TaskInfo, didSendBodyData progress: TransferProgress) {
        self.show(progress)
    }

    func task(_ task: TaskInfo, didReceiveBodyData progress: TransferProgress) {
        self.show(progress)
    }

    private func show(_ progress: TransferProgress) {
        print("\(progress.byteCount) of \(progress.totalByteCount ?? 0) bytes")
    }
}

struct PhotoLibrary {
    let client = Client()
    let address = "https://photos.example.com"

    func upload(_ file: URL, as id: Int) async throws {
        let request = Request(.put, self.address)
            .path("photos")
            .pathSegment(id)
            .header(.contentType, "image/jpeg")
        let (_, response) = try await self.client.upload(
            for: request,
            fromFile: file,
            delegate: ProgressBar()
        )
        guard response.status == .created else {
            throw WoofError.invalidServerResponse
        }
    }
}
