#include "server/sso/http_client.hpp"

#include <algorithm>
#include <curl/curl.h>
#include <fmt/format.h>
#include <memory>
#include <mutex>

#include "base/text.hpp"
#include "server/http/address.hpp"

namespace paika::server {

namespace {

constexpr long connect_patience_ms = 5'000;
constexpr long patience_ms = 10'000;
constexpr std::size_t max_url = 2'000;

struct FreeCurl {
  void operator()(CURL* curl) const { curl_easy_cleanup(curl); }
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using CurlPtr = std::unique_ptr<CURL, FreeCurl>;
using ListPtr = std::unique_ptr<curl_slist, FreeCurl>;

std::size_t take_body(const char* bytes, std::size_t size, std::size_t count, void* into) {
  auto& body = *static_cast<std::string*>(into);
  if (body.size() + size * count > max_outside_bytes) return 0;  // which ends the transfer
  body.append(bytes, size * count);
  return size * count;
}

int look_at_stop(void* stop, curl_off_t /*total*/, curl_off_t /*now*/, curl_off_t /*to_send*/, curl_off_t /*sent*/) {
  return static_cast<const std::stop_token*>(stop)->stop_requested() ? 1 : 0;
}

/// The host of "https://host:port/…", without brackets; "" if there is none.
std::string_view host_of(std::string_view url) {
  std::string_view rest = url.substr(std::min(url.size(), url.find("://") + 3));
  rest = rest.substr(0, rest.find_first_of("/?#"));
  if (rest.starts_with('[')) return rest.substr(1, std::max<std::size_t>(1, rest.find(']')) - 1);
  return rest.substr(0, rest.find(':'));
}

bool is_to_this_machine(std::string_view url) {
  const std::string_view host = host_of(url);
  return host == "localhost" || is_loopback(host);
}

void set_request(CURL* curl, const OutsideRequest& request, curl_slist* headers, const std::string& ca_file) {
  // NOLINTBEGIN(cppcoreguidelines-pro-type-vararg): libcurl's interface is so
  curl_easy_setopt(curl, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  if (request.method != "GET") {
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request.method.c_str());
    curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, static_cast<long>(request.body.size()));
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, request.body.c_str());
  }
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, request.url.starts_with("https:") ? "https" : "http");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, connect_patience_ms);
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, patience_ms);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "paika");
  if (is_to_this_machine(request.url)) curl_easy_setopt(curl, CURLOPT_PROXY, "");
  if (!ca_file.empty()) curl_easy_setopt(curl, CURLOPT_CAINFO, ca_file.c_str());
  // NOLINTEND(cppcoreguidelines-pro-type-vararg)
}

Result<OutsideAnswer> send_by_curl(const OutsideRequest& request, const std::stop_token& stop,
                                   const std::string& ca_file) {
  if (const auto fine = check_outside_url(request.url); !fine) return tl::unexpected(fine.error());
  const CurlPtr curl(curl_easy_init());
  if (!curl) return fail("libcurl does not start");
  ListPtr headers;
  for (const auto& [name, value] : request.headers) {
    headers.reset(curl_slist_append(headers.release(), fmt::format("{}: {}", name, value).c_str()));
  }
  set_request(curl.get(), request, headers.get(), ca_file);
  OutsideAnswer answer;
  // NOLINTBEGIN(cppcoreguidelines-pro-type-vararg): libcurl's interface is so
  curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, take_body);
  curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &answer.body);
  curl_easy_setopt(curl.get(), CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(curl.get(), CURLOPT_XFERINFOFUNCTION, look_at_stop);
  curl_easy_setopt(curl.get(), CURLOPT_XFERINFODATA, &stop);
  const CURLcode code = curl_easy_perform(curl.get());
  if (code == CURLE_WRITE_ERROR) return fail("{} answers with more than {} bytes", request.url, max_outside_bytes);
  if (code != CURLE_OK) return fail("{} cannot be reached: {}", request.url, curl_easy_strerror(code));
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  // NOLINTEND(cppcoreguidelines-pro-type-vararg)
  answer.status = static_cast<int>(status);
  return answer;
}

}  // namespace

SendOutside curl_sender(std::string ca_file) {
  static std::once_flag started;
  std::call_once(started, [] { static_cast<void>(curl_global_init(CURL_GLOBAL_DEFAULT)); });
  return [ca_file = std::move(ca_file)](const OutsideRequest& request, const std::stop_token& stop) {
    return send_by_curl(request, stop, ca_file);
  };
}

Result<void> check_outside_url(std::string_view url) {
  const bool plain = std::all_of(url.begin(), url.end(), [](char c) { return c > ' ' && c < 0x7f && c != '\\'; });
  const bool has_scheme = url.starts_with("https://") || url.starts_with("http://");
  const std::string_view host = has_scheme ? host_of(url) : std::string_view();
  const std::string_view authority = has_scheme ? url.substr(0, url.find_first_of("/?#", 8)) : std::string_view();
  if (!plain || url.size() > max_url || host.empty() || authority.find('@') != std::string_view::npos ||
      url.find('#') != std::string_view::npos) {
    return fail("{} is not an address such as https://login.example.org/path", in_quotes(url, 120));
  }
  if (url.starts_with("http://") && !is_to_this_machine(url)) {
    return fail("{} is not encrypted: it must begin with https://", in_quotes(url, 120));
  }
  return {};
}

std::string origin_of(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return "";
  return lowered(url.substr(0, url.find_first_of("/?#", scheme + 3)));
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain =
        (lowered(c) >= 'a' && lowered(c) <= 'z') || is_digit(c) || c == '-' || c == '.' || c == '_' || c == '~';
    if (plain) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

std::string form_text(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string text;
  for (const auto& [name, value] : fields) {
    if (!text.empty()) text += '&';
    text += escaped(name) + "=" + escaped(value);
  }
  return text;
}

std::string with_query(const std::string& url, const std::vector<std::pair<std::string, std::string>>& fields) {
  return url + (url.find('?') == std::string::npos ? "?" : "&") + form_text(fields);
}

}  // namespace paika::server
