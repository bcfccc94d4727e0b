import Foundation
import Tern

struct PhotoService {
    let client = Client()
    let address = "https://photos.example.com"
}
