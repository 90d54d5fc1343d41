#include "play/demo.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <utility>

#include "base/data.hpp"
#include "base/text.hpp"
#include "engine/diagram.hpp"
#include "engine/registry.hpp"

namespace paika::play {

namespace {

constexpr std::string_view demo_suffix = ".demo";
constexpr std::size_t max_bytes = 1'000'000;

const std::vector<std::string>& line_keys() {
  static const std::vector<std::string> keys = {"title", "spec", "start", "caption", "move", "refused", "expect"};
  return keys;
}

/// A demonstration that is being read and played.
class Reader {
 public:
  explicit Reader(std::string_view name) { demo_.name = name; }

  Result<void> take(std::string_view line) {
    std::string_view rest = line;
    const std::string_view word = take_word(rest);
    rest = trimmed(rest);
    const std::size_t dot = word.find('.');
    const std::string_view key = word.substr(0, dot);
    const std::string_view language = dot == std::string_view::npos ? "en" : word.substr(dot + 1);
    const bool local = key == "title" || key == "caption";
    if (dot != std::string_view::npos && (!local || !is_language(language))) {
      return fail("{} is not a keyword; a language is written as in caption.fr", in_quotes(word));
    }
    if (rest.empty()) return fail("{} needs something after it", in_quotes(word));
    if (key == "title") return take_title(language, rest);
    if (key == "spec") return take_spec(rest);
    if (key == "caption") return take_caption(language, rest);
    if (key == "start") return take_start(rest);
    if (key == "move" || key == "refused" || key == "expect") {
      if (const auto begun = begin(); !begun) return begun;
      return key == "move" ? take_turn(rest) : key == "refused" ? take_refused(rest) : take_expectation(rest);
    }
    return fail("{} is not a keyword{}; the keywords are {}", in_quotes(word), did_you_mean(word, line_keys()),
                listed(line_keys(), "and"));
  }

  Result<Demo> finish() {
    if (!demo_.title.has("en")) return fail("there is no English title");
    if (const auto begun = begin(); !begun) return tl::unexpected(begun.error());
    if (!caption_.empty()) demo_.steps.push_back({std::exchange(caption_, {}), {}, {}, {}, {}});
    if (demo_.steps.empty()) return fail("there is neither a move nor a caption");
    return std::move(demo_);
  }

 private:
  static bool is_language(std::string_view code) {
    const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
    return (code.size() == 2 || code.size() == 3) && std::all_of(code.begin(), code.end(), is_letter);
  }

  Result<void> take_title(std::string_view language, std::string_view text) {
    if (demo_.title.has(language)) return fail("the title is given twice");
    demo_.title.add(language, text);
    return {};
  }

  Result<void> take_caption(std::string_view language, std::string_view text) {
    if (language != "en" && !caption_.has("en")) return fail("the English caption comes first");
    caption_.add(language, text);
    return {};
  }

  Result<void> take_spec(std::string_view text) {
    if (demo_.game) return fail("the spec is given twice");
    auto game = open_game(text);
    if (!game) return tl::unexpected(game.error());
    demo_.game = std::move(*game);
    return {};
  }

  Result<void> take_start(std::string_view text) {
    if (!demo_.game) return fail("the spec comes before the start");
    if (session_) return fail("the start comes before the moves, and only once");
    auto session = demo_.game->start_from_text(text);
    if (!session) return tl::unexpected(session.error());
    session_ = std::move(*session);
    demo_.start = session_->board();
    return {};
  }

  /// Turns can follow: without a start it is the game's own.
  Result<void> begin() {
    if (session_) return {};
    if (!demo_.game) return fail("the spec is missing: it comes before the moves");
    session_ = demo_.game->start();
    demo_.start = session_->board();
    return {};
  }

  Result<void> take_turn(std::string_view text) {
    const Board before = session_->board();
    const auto turn = session_->try_play(text);
    if (!turn) return fail("{}: {}", in_quotes(text), refusal_sentence(session_->notation(), turn.error()));
    effects_ = session_->notation().effects(before, *turn);
    demo_.steps.push_back(
        {std::exchange(caption_, {}), *turn, {}, session_->notation().turn_text(before, *turn), std::nullopt});
    return {};
  }

  /// "b2b3 4.2": the turn, and the clause that forbids it.
  Result<void> take_refused(std::string_view text) {
    const std::size_t blank = text.find_last_of(" \t");
    if (blank == std::string_view::npos) return fail("refused needs a move and the clause that forbids it");
    const std::string_view clause = text.substr(blank + 1);
    const std::string_view move = trimmed(text.substr(0, blank));
    const Board board = session_->board();
    const auto turn = session_->notation().parse_turn(board, move);
    if (!turn) return fail("{}: {}", in_quotes(move), refusal_sentence(session_->notation(), turn.error()));
    const auto refusal = session_->refuse(*turn);
    if (!refusal) return fail("{} is legal", in_quotes(move));
    if (refusal->clause != clause) {
      return fail("{} is forbidden by clause {}, not by {}", in_quotes(move), refusal->clause, in_quotes(clause));
    }
    effects_.clear();
    demo_.steps.push_back(
        {std::exchange(caption_, {}), {}, *turn, session_->notation().turn_text(board, *turn), refusal});
    return {};
  }

  Result<void> take_expectation(std::string_view text) {
    std::string_view rest = text;
    const std::string_view word = take_word(rest);
    if (word == "result") return expect_result(rest);
    if (word == "pieces") return expect_pieces(rest);
    if (word == "moves") return expect_moves(rest);
    return expect_effect(word, rest);
  }

  Result<void> expect_result(std::string_view rest) {
    const std::string_view verdict = take_word(rest);
    const std::string_view reason = take_word(rest);
    const Outcome outcome = session_->outcome();
    if (name(outcome.verdict) == verdict && name(outcome.reason) == (reason.empty() ? "none" : reason)) return {};
    return fail("expected the result {}, but it is \"{} {}\"", in_quotes(fmt::format("{} {}", verdict, reason)),
                name(outcome.verdict), name(outcome.reason));
  }

  Result<void> expect_pieces(std::string_view rest) {
    const auto first = parse_int(take_word(rest));
    const auto second = parse_int(take_word(rest));
    const Board board = session_->board();
    const int have_first = count_pieces(board, Player::first);
    const int have_second = count_pieces(board, Player::second);
    if (first == have_first && second == have_second) return {};
    return fail("expected other numbers of pieces than {} and {}", have_first, have_second);
  }

  Result<void> expect_moves(std::string_view rest) {
    std::vector<std::string> expected;
    for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) expected.emplace_back(word);
    std::vector<std::string> found;
    session_->for_each_turn([&](const ListedTurn& turn) {
      found.push_back(turn.text);
      return found.size() <= expected.size();
    });
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    if (expected == found) return {};
    return fail("expected other moves than {}{}", listed(found, "and"), found.size() > expected.size() ? ", ..." : "");
  }

  /// "captured c3": the last turn captured what stood there, or for moves, moved from or to there.
  Result<void> expect_effect(std::string_view kind, std::string_view rest) {
    const Coordinates& names = session_->notation().coordinates();
    const std::string_view wanted = take_word(rest);
    const bool found = std::any_of(effects_.begin(), effects_.end(), [&](const Effect& effect) {
      const auto at = [&](std::optional<Square> s) { return s && names.name(*s) == wanted; };
      return name(effect.kind) == kind && (wanted.empty() || at(effect.from) || at(effect.to));
    });
    if (found) return {};
    return fail("expected {}, but the move before did not do that", in_quotes(fmt::format("{} {}", kind, wanted)));
  }

  Demo demo_;
  std::unique_ptr<Session> session_;
  LocalText caption_;
  std::vector<Effect> effects_;
};

}  // namespace

void LocalText::add(std::string_view language, std::string_view line) {
  std::string& text = texts_[std::string(language)];
  if (!text.empty()) text += ' ';
  text += line;
}

const std::string& LocalText::in(std::string_view language) const {
  static const std::string nothing;
  auto found = texts_.find(language);
  if (found == texts_.end()) found = texts_.find("en");
  return found == texts_.end() ? nothing : found->second;
}

Result<Demo> read_demo(std::string_view name, std::string_view text) {
  if (text.size() > max_bytes) return fail("{} is longer than {} bytes", in_quotes(name), max_bytes);
  Reader reader(name);
  int number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    const std::string_view content = trimmed(line);
    if (content.empty() || content.front() == '#') continue;
    // Captions go to terminals as they are.
    const auto is_control = [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; };
    if (std::any_of(content.begin(), content.end(), is_control)) {
      return fail("{}, line {}: there is a control character in it", in_quotes(name), number);
    }
    if (const auto taken = reader.take(content); !taken) {
      return fail("{}, line {}: {}", in_quotes(name), number, taken.error().message);
    }
  }
  auto demo = reader.finish();
  if (!demo) return fail("{}: {}", in_quotes(name), demo.error().message);
  return demo;
}

std::vector<std::string> demo_names() {
  std::vector<std::string> names;
  for (const std::string_view file : data_names()) {
    if (file.ends_with(demo_suffix)) names.emplace_back(file.substr(0, file.size() - demo_suffix.size()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

Result<Demo> find_demo(std::string_view name) {
  const std::string_view text = data_file(std::string(name) + std::string(demo_suffix));
  if (!text.empty()) return read_demo(name, text);
  const std::vector<std::string> names = demo_names();
  return fail("there is no demonstration {}{}; there are {}", in_quotes(name), did_you_mean(name, names),
              listed(names, "and"));
}

}  // namespace paika::play
