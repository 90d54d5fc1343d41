#include "server/admin/admin_socket.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>
#include <utility>

#include "base/descriptor.hpp"
#include "base/text.hpp"
#include "database/files.hpp"

namespace paika::server {

namespace {

constexpr std::size_t max_request = std::size_t{1} << 16;
constexpr std::size_t max_answer = std::size_t{64} << 20;
constexpr timeval patience{5, 0};          // of the server, for a line that was begun
constexpr timeval client_patience{60, 0};  // a deletion may take a while

/// The address of a socket. Its path may have 107 bytes, and databases lie deeper than that: so it starts at the
/// folder, which must stay open as long as the address is used.
class Address {
 public:
  explicit Address(const std::string& path)
      : folder_(::open(folder_of(path).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
    const std::string name = std::filesystem::path(path).filename().string();
    const std::string shorter = fmt::format("/proc/self/fd/{}/{}", folder_.number(), name);
    const std::string& used = path.size() < sizeof(address_.sun_path) ? path : shorter;
    address_.sun_family = AF_UNIX;
    fits_ = used.size() < sizeof(address_.sun_path) && folder_.is_open();
    if (fits_) std::memcpy(address_.sun_path, used.c_str(), used.size() + 1);
  }
  [[nodiscard]] bool fits() const { return fits_; }
  [[nodiscard]] const sockaddr* get() const {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): as all addresses of sockets
    return reinterpret_cast<const sockaddr*>(&address_);
  }
  static constexpr socklen_t size = sizeof(sockaddr_un);

 private:
  static std::string folder_of(const std::string& path) {
    const auto folder = std::filesystem::path(path).parent_path();
    return folder.empty() ? "." : folder.string();
  }
  Descriptor folder_;
  sockaddr_un address_{};
  bool fits_ = false;
};

void set_patience(int connection, const timeval& time) {
  static_cast<void>(::setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof(time)));
  static_cast<void>(::setsockopt(connection, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof(time)));
}

/// A line without its end; nothing if it does not come, or is too long.
std::optional<std::string> read_line(int connection, std::size_t most) {
  std::string text;
  std::array<char, 65536> piece{};
  while (text.size() <= most) {
    const ssize_t got = ::recv(connection, piece.data(), piece.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    text.append(piece.data(), static_cast<std::size_t>(got));
    if (text.back() != '\n') continue;
    text.pop_back();
    return text;
  }
  return std::nullopt;
}

bool write_all(int connection, std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = ::send(connection, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

}  // namespace

std::string admin_socket_path(const std::string& database) { return database + ".admin"; }

Result<std::unique_ptr<AdminSocket>> AdminSocket::open(const std::string& path, Handler handler) {
  const Address address(path);
  if (!address.fits()) return fail("the admin socket {} cannot be made: its name is too long", in_quotes(path, 200));
  Descriptor listening(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  Descriptor waking(::eventfd(0, EFD_CLOEXEC));
  if (!listening.is_open() || !waking.is_open()) return system_failure("make the admin socket", path);
  ::unlink(path.c_str());
  // Linux makes the file of a socket with the mode that the socket has.
  if (::fchmod(listening.number(), private_file_mode) != 0 ||
      ::bind(listening.number(), address.get(), Address::size) != 0 || ::listen(listening.number(), 8) != 0) {
    return system_failure("make the admin socket", path);
  }
  return std::unique_ptr<AdminSocket>(new AdminSocket(path, listening.release(), waking.release(), std::move(handler)));
}

AdminSocket::AdminSocket(std::string path, int listening, int waking, Handler handler)
    : path_(std::move(path)),
      made_(file_identity(path_)),
      listening_(listening),
      waking_(waking),
      handler_(std::move(handler)) {
  thread_ = std::thread([this] { serve(); });
}

AdminSocket::~AdminSocket() { close(); }

void AdminSocket::close() {
  if (!thread_.joinable()) return;
  const std::uint64_t one = 1;
  static_cast<void>(!::write(waking_, &one, sizeof(one)));
  thread_.join();
  // Another server may have taken the place of this one.
  if (file_identity(path_) == made_) ::unlink(path_.c_str());
  ::close(listening_);
  ::close(waking_);
}

void AdminSocket::serve() {
  std::array<pollfd, 2> waiting = {pollfd{listening_, POLLIN, 0}, pollfd{waking_, POLLIN, 0}};
  while (true) {
    if (::poll(waiting.data(), waiting.size(), -1) < 0) continue;
    if (waiting[1].revents != 0) return;
    const Descriptor connection(::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC));
    if (connection.is_open()) answer(connection.number());
  }
}

void AdminSocket::answer(int connection) const {
  ucred peer{};
  socklen_t size = sizeof(peer);
  if (::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return;
  if (peer.uid != 0 && peer.uid != ::geteuid()) return;
  set_patience(connection, patience);
  const auto line = read_line(connection, max_request);
  if (line) static_cast<void>(write_all(connection, handler_(*line, peer.uid) + "\n"));
}

Result<std::optional<std::string>> ask_server(const std::string& path, const std::string& line) {
  const Address address(path);
  const Descriptor connection(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!address.fits() || !connection.is_open()) return std::optional<std::string>();
  if (::connect(connection.number(), address.get(), Address::size) != 0) {
    if (errno == ENOENT || errno == ECONNREFUSED) return std::optional<std::string>();
    return system_failure("ask the server at", path);
  }
  set_patience(connection.number(), client_patience);
  if (write_all(connection.number(), line + "\n")) {
    if (auto answer = read_line(connection.number(), max_answer)) return answer;
  }
  return fail("the server at {} does not answer", in_quotes(path, 200));
}

}  // namespace paika::server
