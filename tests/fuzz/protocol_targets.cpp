#include "tests/fuzz/protocol_targets.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "games/wildebeest/board_file.hpp"
#include "protocols/board_file_player.hpp"
#include "protocols/class_protocol.hpp"
#include "tests/support/session.hpp"

namespace paika::fuzz {

namespace {

using protocols::ClassFramer;
using protocols::ClassMessage;
using namespace std::string_literals;

/// The messages of the bytes in packets of `size`, and one for a flood.
std::vector<std::string> messages_of(std::string_view bytes, std::size_t size) {
  ClassFramer framer;
  std::vector<std::string> all;
  const auto drain = [&](bool silent) {
    while (const auto message = framer.next(silent)) {
      PAIKA_CHECK(message->text.size() <= bytes.size() + 4096);
      all.push_back(std::to_string(static_cast<int>(message->kind)) + message->text);
    }
  };
  for (std::size_t at = 0; at < bytes.size() && !framer.flooded(); at += size) {
    framer.add(bytes.substr(at, size));
    drain(false);
    PAIKA_CHECK(framer.flooded() || framer.rest().size() <= ClassFramer::max_message);
  }
  drain(true);
  return all;
}

}  // namespace

void run_class_protocol(std::string_view bytes) {
  const auto whole = messages_of(bytes, std::max<std::size_t>(bytes.size(), 1));
  // Byte by byte is slow for inputs that are long; long ones are floods anyway.
  constexpr std::size_t most = 2000;
  if (bytes.size() <= most) PAIKA_CHECK(messages_of(bytes, 1) == whole);
}

std::vector<std::string> class_protocol_seeds() {
  return {"WELCOME\nINFO 9 5 B 5000\nREADY\nBEGIN\nA 4 2 5 3 + W 5 3 6 3\nOK\nS 1 1\nTIME\nLOSER\n",
          "WELCOMEINFO 9 5 B 5000BEGINOKA 4 2 5 3+R 5 3 6 3 P 1 1 1 2 TIME EXPIRED DRAW",
          "OK\0\0\0\0W 3 2 3 1\0\0\0\0WINNER\r\nILLEGAL\rLOSER"s};
}

void run_written_board(std::string_view bytes) {
  static const auto session = paika_tests::session_at("wildebeest");
  const auto turn = protocols::turn_to(*session, bytes);
  if (turn) {
    PAIKA_CHECK(session->read_turn(*turn).has_value());
    return;
  }
  PAIKA_CHECK(turn.error().message.size() < 1500);
  for (const char c : turn.error().message) PAIKA_CHECK(c >= 0x20 && c < 0x7f);
}

std::vector<std::string> written_board_seeds() {
  const auto session = paika_tests::session_at("wildebeest");
  std::vector<std::string> seeds;
  session->for_each_turn([&](const ListedTurn& turn) {
    const auto board = session->notation().parse_position(turn.position_after);
    seeds.push_back(wildebeest::board_file_text(*board, {"0", "60000", "1"}));
    return seeds.size() < 3;
  });
  return seeds;
}

}  // namespace paika::fuzz
