#include "protocols/class_protocol.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "base/text.hpp"

namespace paika::protocols {

namespace {

using Kind = ClassMessage::Kind;

/// Every word that is a message by itself; INFO goes on with its numbers.
struct Word {
  std::string_view text;
  Kind kind;
};
constexpr std::array<Word, 11> words = {{{"WELCOME", Kind::welcome},
                                         {"INFO", Kind::info},
                                         {"READY", Kind::ready},
                                         {"BEGIN", Kind::begin},
                                         {"OK", Kind::ok},
                                         {"ILLEGAL", Kind::illegal},
                                         {"TIME", Kind::time},
                                         {"WINNER", Kind::winner},
                                         {"LOSER", Kind::loser},
                                         {"TIE", Kind::tie},
                                         {"DRAW", Kind::tie}}};
/// The second word of "TIME EXPIRED" says nothing that the first did not.
constexpr std::string_view noise = "EXPIRED";

constexpr std::string_view hard_ends{"\n\r\0", 3};
constexpr std::string_view separators{" \t\n\r\0", 5};
constexpr std::size_t max_digits = 9;

bool is_separator(char c) { return separators.find(c) != std::string_view::npos; }

/// True if `text` begins with `word` in any case, as far as `text` goes.
bool agrees(std::string_view text, std::string_view word) {
  const std::size_t count = std::min(text.size(), word.size());
  return std::equal(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(count), word.begin(),
                    [](char a, char b) { return raised(a) == b; });
}

/// What was found at the front of the bytes.
enum class Found : unsigned char {
  nothing,  // it is something else
  part,     // the beginning of it; more has to come
  open,     // all of it, if nothing more comes
  whole     // all of it
};

/// Reads on from the front; once something is missing or wrong, nothing more is read.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  [[nodiscard]] Found state() const { return state_; }
  [[nodiscard]] std::size_t at() const { return at_; }
  [[nodiscard]] bool good() const { return state_ == Found::whole; }

  void skip_separators() {
    while (at_ < text_.size() && is_separator(text_[at_])) ++at_;
  }
  /// The next character that is no separator; '\0' if there is none yet.
  [[nodiscard]] char peek() {
    skip_separators();
    return at_ < text_.size() ? raised(text_[at_]) : '\0';
  }
  /// Takes one of these letters.
  char letter(std::string_view letters) {
    if (!good()) return '\0';
    const char c = peek();
    if (c == '\0') return miss(Found::part);
    if (letters.find(c) == std::string_view::npos) return miss(Found::nothing);
    ++at_;
    return c;
  }
  /// Takes a number; one that stands at the very end may go on.
  int number() {
    if (!good()) return 0;
    if (peek() == '\0') return miss(Found::part);
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    if (at_ == begin || at_ - begin > max_digits) return miss(Found::nothing);
    cut_off_ = at_ == text_.size();
    return static_cast<int>(*parse_int(text_.substr(begin, at_ - begin)));
  }
  /// True if the last number ended with the text.
  [[nodiscard]] bool cut_off() const { return cut_off_; }
  /// True if a separator that ends a message comes before the next character that is none.
  [[nodiscard]] bool at_hard_end() const {
    const auto next = std::min(text_.find_first_not_of(separators, at_), text_.size());
    return text_.substr(at_, next - at_).find_first_of(hard_ends) != std::string_view::npos;
  }

 private:
  char miss(Found state) {
    state_ = state;
    return '\0';
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Found state_ = Found::whole;
  bool cut_off_ = false;
};

/// A message at the front, how much of the bytes it takes, and whether it is all there.
struct Reading {
  Found found = Found::nothing;
  std::size_t length = 0;
  ClassMessage message;
};

/// INFO's numbers and letter; `at` is behind its keyword.
Reading read_info(std::string_view bytes, std::size_t at) {
  Cursor cursor(bytes.substr(at));
  Reading reading;
  ClassGame& game = reading.message.game;
  reading.message.kind = Kind::info;
  game.cols = cursor.number();
  game.rows = cursor.number();
  game.client = cursor.letter("WB") == 'W' ? Player::first : Player::second;
  game.time_ms = cursor.number();
  reading.found = cursor.good() && cursor.cut_off() ? Found::open : cursor.state();
  reading.length = at + cursor.at();
  return reading;
}

Reading read_move(std::string_view bytes) {
  Cursor cursor(bytes);
  Reading reading;
  reading.message.kind = Kind::move;
  std::string& text = reading.message.text;
  std::string_view letters = "AWRPS";
  for (;;) {
    const char letter = cursor.letter(letters);
    text += letter;
    for (int i = 0; i < (letter == 'S' ? 2 : 4); ++i) text += fmt::format(" {}", cursor.number());
    reading.found = cursor.state();
    reading.length = cursor.at();
    if (!cursor.good()) return reading;
    if (cursor.cut_off()) {
      reading.found = Found::open;
      return reading;
    }
    // A line end is the end. After a blank a chain may go on, and nobody knows yet if nothing has come.
    if (cursor.at_hard_end()) return reading;
    const char next = cursor.peek();
    if (next == '\0') reading.found = Found::open;
    if (is_digit(next)) reading.found = Found::nothing;
    if (next != '+') return reading;
    if (letter == 'P' || letter == 'S') {
      reading.found = Found::nothing;
      return reading;
    }
    static_cast<void>(cursor.letter("+"));
    text += " + ";
    letters = "AWR";
  }
}

bool is_move_letter(char c) { return std::string_view("AWRPS").find(raised(c)) != std::string_view::npos; }

/// A word of the protocol, or the noise, at the front.
Reading read_word(std::string_view bytes) {
  Reading reading;
  for (const Word& word : words) {
    if (!agrees(bytes, word.text)) continue;
    if (bytes.size() < word.text.size()) {
      reading.found = Found::part;
      return reading;
    }
    if (word.kind == Kind::info) return read_info(bytes, word.text.size());
    reading = {Found::whole, word.text.size(), {word.kind, std::string(word.text), {}}};
    return reading;
  }
  return reading;
}

/// What makes no sense, up to where it surely ends. A bad move is a move all the same: the rules refuse it.
Reading read_nonsense(std::string_view bytes) {
  Reading reading;
  const auto end = bytes.find_first_of(hard_ends);
  reading.found = end == std::string_view::npos ? Found::open : Found::whole;
  reading.length = std::min(end, bytes.size());
  const std::string_view text = bytes.substr(0, reading.length);
  const bool move = is_move_letter(text[0]) && text.size() > 1 && (is_separator(text[1]) || is_digit(text[1]));
  reading.message = {move ? Kind::move : Kind::unknown, std::string(trimmed(text)), {}};
  return reading;
}

Reading read_front(std::string_view bytes) {
  if (Reading reading = read_word(bytes); reading.found != Found::nothing) return reading;
  if (is_move_letter(bytes[0])) {
    if (Reading reading = read_move(bytes); reading.found != Found::nothing) return reading;
  }
  return read_nonsense(bytes);
}

}  // namespace

std::string_view keyword(Kind kind) noexcept {
  const auto* const word = std::find_if(words.begin(), words.end(), [&](const Word& w) { return w.kind == kind; });
  return word == words.end() ? std::string_view() : word->text;
}

std::string message_text(const ClassMessage& message) {
  if (message.kind == ClassMessage::Kind::info) return info_text(message.game);
  const std::string_view word = keyword(message.kind);
  return word.empty() ? message.text : std::string(word);
}

std::string info_text(const ClassGame& game) {
  return fmt::format("INFO {} {} {} {}", game.cols, game.rows, game.client == Player::first ? 'W' : 'B', game.time_ms);
}

void ClassFramer::add(std::string_view bytes) {
  if (flooded_) return;
  bytes_.erase(0, std::exchange(at_, 0));
  bytes_ += bytes;
  skip(0);
}

void ClassFramer::skip(std::size_t count) {
  at_ = std::min(bytes_.find_first_not_of(separators, at_ + count), bytes_.size());
  if (at_ < bytes_.size()) return;
  bytes_.clear();
  at_ = 0;
}

std::optional<ClassMessage> ClassFramer::next(bool silent) {
  while (pending() && !flooded_) {
    if (agrees(rest(), noise)) {
      if (rest().size() < noise.size()) return std::nullopt;
      skip(noise.size());
      continue;
    }
    Reading reading = read_front(rest());
    if (reading.found == Found::whole || (reading.found == Found::open && silent)) {
      skip(reading.length);
      return std::move(reading.message);
    }
    flooded_ = rest().size() > max_message;
    break;
  }
  return std::nullopt;
}

}  // namespace paika::protocols
