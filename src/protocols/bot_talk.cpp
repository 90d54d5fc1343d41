#include "protocols/bot_talk.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "play/query.hpp"

namespace paika::protocols {

namespace {

using play::ChildProcess;

constexpr std::size_t max_lines = 12;
constexpr std::size_t max_line = 160;

/// Fit to be shown: control bytes could do anything to a terminal.
std::string printable(std::string_view text) {
  std::string out = plain_text(text.substr(0, max_line));
  std::replace(out.begin(), out.end(), '\n', '?');  // a line stays one
  return text.size() > max_line ? out + "…" : out;
}

}  // namespace

void BotTalk::keep(std::string_view who, std::string_view line) {
  lines_.push_back(fmt::format("{} {}", who, printable(line)));
  if (lines_.size() > max_lines) lines_.pop_front();
}

std::string BotTalk::trouble_text(ChildProcess::Trouble trouble, std::string_view word) {
  switch (trouble) {
    case ChildProcess::Trouble::timeout: return fmt::format("it did not say {} in time", in_quotes(word));
    case ChildProcess::Trouble::flood: return "it said far too much";
    case ChildProcess::Trouble::stopped: return "the check was stopped";
    case ChildProcess::Trouble::closed: break;
  }
  return has_ended().value_or("it closed its output");
}

BotTalk::Problem BotTalk::say(std::string_view line, Clock::time_point deadline) {
  keep(">", line);
  const auto said = bot_->write_line(line, deadline);
  if (said) return std::nullopt;
  if (said.error() == ChildProcess::Trouble::timeout) return "it does not read what it is told";
  return trouble_text(said.error(), "");
}

BotTalk::Problem BotTalk::wait_for(std::string_view word, Clock::time_point deadline, std::string& rest,
                                   const Session* session) {
  bot_->restart_flood_count();
  for (;;) {
    const auto heard = bot_->read_line(deadline, {});
    if (!heard) return trouble_text(heard.error(), word);
    keep("<", *heard);
    std::string_view words = *heard;
    const std::string_view first = take_word(words);
    if (first == word) {
      rest = trimmed(words);
      return std::nullopt;
    }
    if (first != "query" || session == nullptr) continue;
    const auto answer = play::answer_query(*session, trimmed(words));
    const std::string line = answer.value_or(fmt::format("error query is written as query {}", play::query_words));
    if (auto problem = say(line, deadline)) return problem;
  }
}

BotTalk::Problem BotTalk::wait_for_end(Clock::time_point deadline) {
  bot_->end_input();
  for (;;) {
    const auto heard = bot_->read_line(deadline, {});
    if (heard) {
      keep("<", *heard);
      continue;
    }
    if (heard.error() == ChildProcess::Trouble::timeout) return "it still runs";
    if (heard.error() != ChildProcess::Trouble::closed) return trouble_text(heard.error(), "");
    const auto ending = bot_->ending();
    if (!ending) return "it closed its output and still runs";
    if (ending->kind == play::Ending::Kind::exited && ending->number == 0) return std::nullopt;
    return words_for(*ending);
  }
}

BotTalk::Problem BotTalk::has_ended() {
  if (!bot_->closed()) return std::nullopt;
  const auto ending = bot_->ending();
  if (!ending) return std::nullopt;
  return words_for(*ending);
}

}  // namespace paika::protocols
