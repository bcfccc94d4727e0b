// SPDX-License-Identifier: Apache-2.0
//
// Measures Boost.Beast: its blocking calls, one for each message.

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "../measure.h"

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using Socket = websocket::stream<asio::ip::tcp::socket>;
using Messages = std::vector<std::string_view>;

static void connect(Socket &socket, asio::io_context &context, const arguments_t &arguments) {
    const std::string url = arguments.url, authority = url.substr(5, url.find('/', 5) - 5);  // after ws://
    const auto colon = authority.find(':');
    asio::ip::tcp::resolver resolver(context);
    asio::connect(socket.next_layer(), resolver.resolve(authority.substr(0, colon), authority.substr(colon + 1)));
    socket.next_layer().set_option(asio::ip::tcp::no_delay(true));
    if (arguments.deflate) {
        websocket::permessage_deflate deflate;
        deflate.client_enable = true;
        deflate.compLevel = 6;
        deflate.memLevel = 8;
        socket.set_option(deflate);
    }
    socket.auto_fragment(false);  // a frame for each message
    socket.write_buffer_bytes(256 << 10);
    websocket::response_type response;
    socket.handshake(response, authority, url.substr(5 + authority.size()));
    if ((response.count(beast::http::field::sec_websocket_extensions) > 0) != (arguments.deflate != 0)) {
        fail("not the extension that was asked for");
    }
    socket.text(true);
}

static void expect_end(const beast::error_code &error) {
    if (error != websocket::error::closed) {
        fail(error.message().c_str());
    }
}

// The functions below are measured. They return the number of bytes of all messages.

static size_t echo(Socket &socket, const Messages &messages, std::vector<double> &trips) {
    beast::flat_buffer buffer;
    size_t bytes = 0;
    for (size_t i = 0; i < trips.size(); i++) {
        const double start = clock_seconds();
        socket.write(asio::buffer(messages[i % messages.size()]));
        bytes += socket.read(buffer);
        buffer.clear();
        trips[i] = clock_seconds() - start;
    }
    return bytes;
}

static size_t receive(Socket &socket, size_t count) {
    socket.write(asio::buffer("go", 2));
    beast::flat_buffer buffer;
    size_t bytes = 0;
    for (size_t received = 0;; received++) {
        beast::error_code error;
        bytes += socket.read(buffer, error);
        buffer.clear();
        if (error) {
            expect_end(error);
            if (received != count) {
                fail("not as many messages as expected");
            }
            return bytes;
        }
    }
}

static size_t send(Socket &socket, const Messages &messages, size_t count) {
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) {
        const std::string_view message = messages[i % messages.size()];
        socket.write(asio::buffer(message));
        bytes += message.size();
    }
    socket.close(websocket::close_code::normal);  // returns when the server's Close frame has arrived
    return bytes;
}

int main(int argument_count, char **words) {
    try {
        const arguments_t arguments = read_arguments(argument_count, words);
        size_t total;
        const char *text = read_file(arguments.file, &total);
        Messages messages;
        for (size_t at = 0; at + arguments.bytes <= total; at += arguments.bytes) {
            messages.emplace_back(text + at, arguments.bytes);
        }
        asio::io_context context;
        Socket socket(context);
        connect(socket, context, arguments);

        const std::string benchmark = arguments.benchmark;
        std::vector<double> trips(benchmark == "ws-echo" ? arguments.count : 0);
        const measurement_t start = start_measurement();
        const size_t bytes = benchmark == "ws-echo"      ? echo(socket, messages, trips)
                             : benchmark == "ws-receive" ? receive(socket, arguments.count)
                                                         : send(socket, messages, arguments.count);
        std::nth_element(trips.begin(), trips.begin() + trips.size() / 2, trips.end());
        end_measurement(start, "beast", arguments, bytes, trips.empty() ? 0 : trips[trips.size() / 2] * 1e6);
    } catch (const std::exception &error) {
        fail(error.what());
    }
}
