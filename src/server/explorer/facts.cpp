#include "server/explorer/facts.hpp"

#include <bit>
#include <cstring>
#include <fmt/format.h>

namespace paika::server {

static_assert(std::endian::native == std::endian::little);

namespace {

constexpr std::uint32_t facts_per_chunk = 1024;

}  // namespace

std::vector<GameFact> GameFacts::read(std::uint32_t chunk) {
  Query row = database_->query("SELECT data FROM facts WHERE chunk = ?", chunk);
  if (!row.next()) return {};
  const std::string bytes = row.text(0);
  std::vector<GameFact> facts(bytes.size() / sizeof(GameFact));
  std::memcpy(facts.data(), bytes.data(), facts.size() * sizeof(GameFact));
  return facts;
}

const GameFact& GameFacts::at(std::uint32_t game) {
  const std::uint32_t chunk = game / facts_per_chunk;
  const auto known = chunks_.find(chunk);
  const std::vector<GameFact>& facts = known != chunks_.end() ? known->second : (chunks_[chunk] = read(chunk));
  if (game % facts_per_chunk < facts.size()) return facts[game % facts_per_chunk];
  throw StoreError(fmt::format("{} is damaged: nothing is known of game {}", database_->name(), game));
}

void GameFacts::append(std::uint32_t first, std::span<const GameFact> facts) {
  while (!facts.empty()) {
    const std::uint32_t chunk = first / facts_per_chunk;
    std::vector<GameFact> all = read(chunk);
    all.resize(first % facts_per_chunk);
    const auto fit = std::min<std::size_t>(facts.size(), facts_per_chunk - all.size());
    all.insert(all.end(), facts.begin(), facts.begin() + static_cast<std::ptrdiff_t>(fit));
    const std::string_view bytes(reinterpret_cast<const char*>(all.data()), all.size() * sizeof(GameFact));
    database_->run("INSERT OR REPLACE INTO facts (chunk, data) VALUES (?, ?)", chunk, Blob{bytes});
    chunks_.erase(chunk);
    first += static_cast<std::uint32_t>(fit);
    facts = facts.subspan(fit);
  }
}

}  // namespace paika::server
