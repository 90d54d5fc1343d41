#include "study/tree_text.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <utility>

#include "base/check.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "engine/registry.hpp"
#include "study/tree_commands.hpp"

namespace paika::study {

namespace {

constexpr std::array<std::pair<std::string_view, Verdict>, 4> result_tokens = {
    {{"*", Verdict::ongoing}, {"1-0", Verdict::first_wins}, {"0-1", Verdict::second_wins}, {"1/2-1/2", Verdict::draw}}};

std::string_view result_token(Verdict verdict) {
  const auto* const found =
      std::find_if(result_tokens.begin(), result_tokens.end(), [&](const auto& r) { return r.second == verdict; });
  return found->first;
}

std::optional<Verdict> verdict_of(std::string_view token) {
  const auto* const found =
      std::find_if(result_tokens.begin(), result_tokens.end(), [&](const auto& r) { return r.first == token; });
  if (found == result_tokens.end()) return std::nullopt;
  return found->second;
}

// ---- Writing ----

/// Words on lines of at most 80 bytes, where a word allows it.
class LineWriter {
 public:
  void word(const std::string& plain) {
    const std::string text = std::exchange(opened_, {}) + plain;
    constexpr std::size_t width = 80;
    const std::size_t first = std::min(text.find('\n'), text.size());
    if (column_ > 0) {
      const bool fits = column_ + 1 + first <= width;
      out_ += fits ? ' ' : '\n';
      column_ = fits ? column_ + 1 : 0;
    }
    out_ += text;
    const std::size_t last = text.rfind('\n');
    column_ = last == std::string::npos ? column_ + text.size() : text.size() - last - 1;
  }
  /// A bracket: the opening one belongs to the next word, the closing one to the last.
  void open() { opened_ += '('; }
  void close() {
    out_ += ')';
    ++column_;
  }
  [[nodiscard]] std::string finish() { return std::move(out_) + "\n"; }

 private:
  std::string out_;
  std::size_t column_ = 0;
  std::string opened_;
};

void put_tag(std::string& out, std::string_view name, std::string_view value) {
  out += fmt::format("[{} \"", name);
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  out += "\"]\n";
}

/// Writes the moves of a tree. Its stack is its own: variations may be deep.
class MoveWriter {
 public:
  explicit MoveWriter(const GameTree& tree) : tree_(tree), offset_(seat_of(tree.session()->board().to_move)) {}

  [[nodiscard]] std::string write() {
    comment(0);
    stack_.push_back({Task::line, 0, 0});
    while (!stack_.empty()) {
      const Job job = stack_.back();
      stack_.pop_back();
      switch (job.task) {
        case Task::line: line(job); break;
        case Task::move: move(job); break;
        case Task::open:
          lines_.open();
          numbered_ = true;
          break;
        case Task::close:
          lines_.close();
          numbered_ = true;
          break;
      }
    }
    lines_.word(std::string(result_token(tree_.result().verdict)));
    return lines_.finish();
  }

 private:
  enum class Task : unsigned char { line, move, open, close };
  struct Job {
    Task task;
    std::size_t node;
    std::size_t ply;  // of the node
  };

  /// What follows a node: the move of the main line, the variations, then what follows that move. Last in, first out.
  void line(const Job& job) {
    const std::vector<std::size_t>& children = tree_.node(job.node).children;
    if (children.empty()) return;
    stack_.push_back({Task::line, children[0], job.ply + 1});
    for (std::size_t i = children.size(); i-- > 1;) {
      stack_.push_back({Task::close, 0, 0});
      stack_.push_back({Task::line, children[i], job.ply + 1});
      stack_.push_back({Task::move, children[i], job.ply + 1});
      stack_.push_back({Task::open, 0, 0});
    }
    stack_.push_back({Task::move, children[0], job.ply + 1});
  }

  void move(const Job& job) {
    const TreeNode& node = tree_.node(job.node);
    const std::size_t index = job.ply - 1 + offset_;
    std::string text;
    if (index % 2 == 0) {
      text = fmt::format("{}. ", index / 2 + 1);
    } else if (numbered_) {
      text = fmt::format("{}... ", index / 2 + 1);
    }
    numbered_ = false;
    lines_.word(text + node.move + std::string(mark_text(node.mark)));
    comment(job.node);
  }

  void comment(std::size_t node) {
    const std::string text = comment_text(tree_.game().notation(), tree_.node(node));
    if (text.empty()) return;
    lines_.word("{" + text + "}");
    numbered_ = true;
  }

  const GameTree& tree_;
  std::size_t offset_;
  LineWriter lines_;
  std::vector<Job> stack_;
  bool numbered_ = true;  // the next move needs its number, whoever plays it
};

}  // namespace

std::string tree_text(const GameTree& tree) {
  std::string out;
  put_tag(out, "Game", tree.spec());
  if (!tree.players()[0].empty()) put_tag(out, "First", tree.players()[0]);
  if (!tree.players()[1].empty()) put_tag(out, "Second", tree.players()[1]);
  put_tag(out, "Result", result_token(tree.result().verdict));
  if (tree.result().reason != play::unfinished_reason) put_tag(out, "Reason", tree.result().reason);
  if (!tree.result().remark.empty()) put_tag(out, "Remark", tree.result().remark);
  if (!tree.start().empty()) put_tag(out, "Start", tree.start());
  for (const Tag& tag : tree.tags()) put_tag(out, tag.first, tag.second);
  return out + "\n" + MoveWriter(tree).write();
}

std::string trees_text(std::span<const GameTree> trees) {
  std::string out;
  for (const GameTree& tree : trees) out += (out.empty() ? "" : "\n") + tree_text(tree);
  return out;
}

// ---- Reading ----

namespace {

/// A text being read, and where.
class Source {
 public:
  explicit Source(std::string_view text) : text_(text) {}

  [[nodiscard]] bool done() const { return at_ == text_.size(); }
  [[nodiscard]] char peek() const { return text_[at_]; }
  char take() {
    const char c = text_[at_++];
    if (c == '\n') {
      ++line_;
      line_start_ = at_;
    }
    return c;
  }
  void skip_blanks() {
    while (!done() && blanks.find(peek()) != std::string_view::npos) take();
  }
  /// Everything up to a blank or a character that stands for itself.
  [[nodiscard]] std::string_view word() {
    const std::size_t begin = at_;
    while (!done() && blanks.find(peek()) == std::string_view::npos && enders.find(peek()) == std::string_view::npos) {
      take();
    }
    return text_.substr(begin, at_ - begin);
  }

  /// Remembers this place for the next error.
  void mark() {
    marked_line_ = line_;
    marked_column_ = at_ - line_start_ + 1;
  }
  [[nodiscard]] tl::unexpected<Error> wrong(std::string_view message) const {
    return fail("line {}, column {}: {}", marked_line_, marked_column_, message);
  }

 private:
  static constexpr std::string_view enders = "(){}[];\"";
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t line_start_ = 0;
  std::size_t marked_line_ = 1;
  std::size_t marked_column_ = 1;
};

/// The tags that the tree has members for, as they were read.
struct Heading {
  std::string game;
  std::string start;
  std::array<std::string, 2> players;
  std::optional<Verdict> verdict;
  std::string reason;
  std::string remark;
  std::vector<Tag> others;
};

/// One game being read, from its first tag to its result.
class TreeReader {
 public:
  explicit TreeReader(Source& source) : source_(source) {}

  [[nodiscard]] Result<GameTree> read() {
    if (const auto heading = read_heading(); !heading) return tl::unexpected(heading.error());
    auto game = open_game(heading_.game);
    if (!game) return source_.wrong(game.error().message);
    auto tree = GameTree::open(std::move(*game), heading_.start);
    if (!tree) return source_.wrong(tree.error().message);
    tree_.emplace(std::move(*tree));
    for (std::size_t side = 0; side < 2; ++side) tree_->set_player(side, heading_.players[side]);
    for (const Tag& tag : heading_.others) tree_->add_tag(tag.first, tag.second);
    cursor_.emplace(*tree_);
    if (const auto moves = read_moves(); !moves) return tl::unexpected(moves.error());
    return std::move(*tree_);
  }

 private:
  using Done = Result<void>;

  // ---- Tags ----

  Done read_heading() {
    for (source_.skip_blanks(); !source_.done() && source_.peek() == '['; source_.skip_blanks()) {
      if (auto tag = read_tag(); !tag) return tag;
    }
    source_.mark();
    if (heading_.game.empty()) return source_.wrong("a game begins with its tag [Game \"SPEC\"]");
    return {};
  }

  Done read_tag() {
    source_.mark();
    source_.take();
    source_.skip_blanks();
    const std::string name(source_.word());
    if (!is_tag_name(name)) return source_.wrong(fmt::format("{} is not the name of a tag", in_quotes(name)));
    source_.skip_blanks();
    if (source_.done() || source_.take() != '"') return source_.wrong(fmt::format("write [{} \"value\"]", name));
    std::string value;
    for (;;) {
      if (source_.done()) return source_.wrong(fmt::format("the value of the tag {} has no end", name));
      char c = source_.take();
      if (c == '"') break;
      if (c == '\\' && !source_.done()) c = source_.take();
      if (c == '\n') return source_.wrong(fmt::format("the value of the tag {} goes on after its line", name));
      value += c;
    }
    source_.skip_blanks();
    if (source_.done() || source_.take() != ']') return source_.wrong(fmt::format("the tag {} has no ]", name));
    return take_tag(name, value);
  }

  Done take_tag(const std::string& name, const std::string& value) {
    const auto set = [&](std::string& place) -> Done {
      if (!place.empty()) return source_.wrong(fmt::format("the tag {} is there twice", name));
      place = value;
      return {};
    };
    if (name == "Game") return set(heading_.game);
    if (name == "First") return set(heading_.players[0]);
    if (name == "Second") return set(heading_.players[1]);
    if (name == "Start") return set(heading_.start);
    if (name == "Reason") return set(heading_.reason);
    if (name == "Remark") return set(heading_.remark);
    if (name != "Result") {
      heading_.others.emplace_back(name, value);
      return {};
    }
    heading_.verdict = verdict_of(value);
    if (heading_.verdict) return {};
    return source_.wrong(fmt::format("{} is not a result: there are 1-0, 0-1, 1/2-1/2 and *", in_quotes(value)));
  }

  // ---- Moves ----

  Done read_moves() {
    for (;;) {
      source_.skip_blanks();
      source_.mark();
      if (source_.done()) return source_.wrong("the game has no end: 1-0, 0-1, 1/2-1/2 or * is missing");
      Done done;
      switch (source_.peek()) {
        case '(': done = open(); break;
        case ')': done = close(); break;
        case '{': done = comment(); break;
        case ';': skip_line(); break;
        case '[':
        case ']':
        case '}':
        case '"':
          return source_.wrong(
              fmt::format("{} cannot stand among the moves", in_quotes(std::string(1, source_.peek()))));
        default: {
          const std::string_view word = source_.word();
          if (const auto verdict = verdict_of(word)) return finish(*verdict);
          done = token(word);
        }
      }
      if (!done) return done;
    }
  }

  void skip_line() {
    while (!source_.done() && source_.take() != '\n') {
    }
  }

  /// A variation replaces the move before it.
  Done open() {
    source_.take();
    if (cursor_->node() == 0 || fresh_) return source_.wrong("a variation stands behind the move that it replaces");
    if (branches_.size() == max_nesting)
      return source_.wrong(fmt::format("variations are nested more than {} deep", max_nesting));
    branches_.push_back(cursor_->node());
    cursor_->back();
    fresh_ = true;
    return {};
  }

  Done close() {
    source_.take();
    if (branches_.empty()) return source_.wrong("there is no ( for this )");
    if (fresh_) return source_.wrong("the variation has no move");
    const std::size_t back_to = branches_.back();
    branches_.pop_back();
    cursor_->go(tree_->node(back_to).parent, back_to);
    return {};
  }

  Done comment() {
    source_.take();
    std::string raw;
    for (;;) {
      if (source_.done()) return source_.wrong("the comment has no }");
      const char c = source_.take();
      if (c == '}') break;
      raw += c;
      if (c == '\\' && !source_.done()) raw += source_.take();
      if (raw.size() > 2 * GameTree::max_comment)
        return source_.wrong(fmt::format("a comment may have at most {} bytes", GameTree::max_comment));
    }
    if (fresh_) {
      waiting_ += raw + " ";  // of the first move of a variation
      return {};
    }
    return annotate(raw);
  }

  Done annotate(std::string_view raw) {
    if (const auto good = add_comment(*tree_, cursor_->node(), raw); !good) return source_.wrong(good.error().message);
    return {};
  }

  /// A move number, a number of a mark, or a move with its mark.
  Done token(std::string_view word) {
    if (word.front() == '$') return number_of_mark(word.substr(1));
    if (is_digit(word.front()) || word.front() == '.') {
      word.remove_prefix(std::min(word.find_first_not_of("0123456789"), word.size()));
      word.remove_prefix(std::min(word.find_first_not_of('.'), word.size()));
      if (word.empty()) return {};
    }
    const std::size_t end = word.find_last_not_of("!?");
    if (end == std::string_view::npos) return mark(word);
    const std::size_t before = tree_->nodes().size();
    if (const auto played = cursor_->play(word.substr(0, end + 1)); !played)
      return source_.wrong(played.error().message);
    if (tree_->nodes().size() == before)
      return source_.wrong(fmt::format("{} has a line here already", tree_->node(cursor_->node()).move));
    fresh_ = false;
    if (!waiting_.empty()) {
      const std::string raw = std::exchange(waiting_, {});
      if (auto good = annotate(raw); !good) return good;
    }
    return end + 1 == word.size() ? Done{} : mark(word.substr(end + 1));
  }

  Done mark(std::string_view text) {
    const auto found = mark_of(text);
    if (!found) return source_.wrong(fmt::format("{} is not a mark: there are ! ? !! ?? !? and ?!", in_quotes(text)));
    return set_mark(*found);
  }

  Done number_of_mark(std::string_view digits) {
    const auto number = parse_int(digits);
    if (!number || *number < 1 || *number > 6) return source_.wrong("the numbers of marks are $1 to $6");
    return set_mark(static_cast<MoveMark>(*number));
  }

  Done set_mark(MoveMark mark) {
    if (cursor_->node() == 0 || fresh_) return source_.wrong("a mark stands behind its move");
    tree_->set_mark(cursor_->node(), mark);
    return {};
  }

  Done finish(Verdict verdict) {
    if (!branches_.empty()) return source_.wrong("the game ends inside a variation: ) is missing");
    if (heading_.verdict && *heading_.verdict != verdict)
      return source_.wrong(fmt::format("the tag Result says {}", result_token(*heading_.verdict)));
    if (heading_.reason.empty()) {
      tree_->set_result_by_rules();
      if (tree_->result().verdict == verdict) return {};
      heading_.reason = verdict == Verdict::draw ? play::agreed_reason : play::resigned_reason;
    }
    if (const auto good = tree_->set_result({verdict, play::read_reason(heading_.reason), heading_.remark}); !good)
      return source_.wrong(good.error().message);
    return {};
  }

  Source& source_;
  Heading heading_;
  std::optional<GameTree> tree_;
  std::optional<TreeCursor> cursor_;
  std::vector<std::size_t> branches_;  // the moves that open variations replace
  std::string waiting_;                // comments before the first move of a variation
  bool fresh_ = false;                 // a variation has no move yet
};

/// Bytes that no text has: the first is named.
Result<void> check_characters(std::string_view text) {
  std::size_t line = 1;
  const char* line_start = text.data();
  while (!text.empty()) {
    const char* const at = text.data();
    const std::string_view character = take_character(text);
    const char c = character.front();
    const bool control =
        (static_cast<unsigned char>(c) < 0x20 && blanks.find(c) == std::string_view::npos) || c == 0x7f;
    if (control || !code_of(character)) {
      return fail("line {}, column {}: byte {:#04x} is not text in UTF-8", line, at - line_start + 1,
                  static_cast<unsigned char>(c));
    }
    if (c == '\n') {
      ++line;
      line_start = at + 1;
    }
  }
  return {};
}

}  // namespace

Result<std::vector<GameTree>> parse_trees(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  if (const auto good = check_characters(text); !good) return tl::unexpected(good.error());
  std::vector<GameTree> trees;
  Source source(text);
  for (source.skip_blanks(); !source.done(); source.skip_blanks()) {
    auto tree = TreeReader(source).read();
    if (!tree) return tl::unexpected(tree.error());
    trees.push_back(std::move(*tree));
  }
  return trees;
}

}  // namespace paika::study
