#include "tournament/order.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sodium.h>

#include "base/base64.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

namespace paika::tournament {

namespace {

/// The texts of a list of two under a key; empty where there is none.
std::array<std::string, 2> two_texts(const Json& json, const char* key) {
  std::array<std::string, 2> texts;
  const auto list = json.find(key);
  if (list == json.end() || !list->is_array() || list->size() != 2) return texts;
  for (std::size_t side = 0; side < 2; ++side) {
    if ((*list)[side].is_string()) texts[side] = (*list)[side].get<std::string>();
  }
  return texts;
}

}  // namespace

bool is_hash(std::string_view text) {
  constexpr std::size_t digits = 64;
  return text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string order_text(const GameOrder& order) {
  const Json json = {{"job", to_json(order.job)}, {"hashes", order.hashes}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<GameOrder> read_order(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return fail("this is not an order: {}", in_quotes(text));
  auto job = read_job(json.value("job", Json()));
  if (!job) return tl::unexpected(job.error());
  GameOrder order{std::move(*job), two_texts(json, "hashes")};
  for (const std::string& hash : order.hashes) {
    if (!hash.empty() && !is_hash(hash)) return fail("{} is not the hash of a folder", in_quotes(hash));
  }
  return order;
}

std::string result_text(const PlayedGame& played) {
  const Json json = {{"game", to_json(played.game)}, {"logs", {to_base64(played.logs[0]), to_base64(played.logs[1])}}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<PlayedGame> read_result(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return fail("this is not a result: {}", in_quotes(text));
  auto game = read_finished(json.value("game", Json()));
  if (!game) return tl::unexpected(game.error());
  PlayedGame played{std::move(*game), {}};
  const auto logs = two_texts(json, "logs");
  for (std::size_t side = 0; side < 2; ++side) {
    std::string& log = played.game.sides[side].log;
    if (!log.empty()) log = log_name(played.game.id, played.game.players[side]);
    played.logs[side] = from_base64(logs[side]).value_or("");
  }
  return played;
}

void write_logs(const PlayedGame& played, const std::string& folder) {
  for (std::size_t side = 0; side < 2; ++side) {
    const std::string& name = played.game.sides[side].log;
    if (name.empty() || played.logs[side].empty()) continue;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    std::ofstream file(std::filesystem::path(folder) / name, std::ios::binary);
    file << plain_text(std::string_view(played.logs[side]).substr(0, max_log_bytes));
  }
}

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash{};
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes are bytes
  crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  std::array<char, 2 * crypto_hash_sha256_BYTES + 1> text{};
  sodium_bin2hex(text.data(), text.size(), hash.data(), hash.size());
  return text.data();
}

}  // namespace paika::tournament
