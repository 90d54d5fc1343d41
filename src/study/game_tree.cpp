#include "study/game_tree.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/check.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "engine/diagram.hpp"
#include "engine/registry.hpp"
#include "play/settings.hpp"
#include "play/start.hpp"

namespace paika::study {

namespace {

constexpr std::array<std::string_view, 7> mark_texts = {"", "!", "?", "!!", "??", "!?", "?!"};
constexpr std::array<std::string_view, 4> colour_names = {"green", "red", "blue", "yellow"};

template <class Enum, std::size_t N>
std::optional<Enum> find_name(const std::array<std::string_view, N>& names, std::string_view text) {
  const auto* const found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    if (!code_of(take_character(text))) return false;
  }
  return true;
}

/// Old files are in Latin-1, whose bytes are the first 256 characters.
std::string utf8_of_latin1(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xc0 | (byte >> 6U));
      out += static_cast<char>(0x80 | (byte & 0x3fU));
    }
  }
  return out;
}

/// A text that can be written and read again: UTF-8 without control characters, trimmed. In `lines` line feeds and
/// tabs stay, and carriage returns go.
std::string fit_text(std::string_view text, bool lines) {
  const std::string whole = is_utf8(text) ? std::string(text) : utf8_of_latin1(text);
  std::string out;
  for (const char c : whole) {
    if (lines && c == '\r') continue;
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    out += control && !(lines && (c == '\n' || c == '\t')) ? '?' : c;
  }
  return std::string(trimmed(out));
}

}  // namespace

std::string_view mark_text(MoveMark mark) noexcept { return mark_texts[static_cast<std::size_t>(mark)]; }
std::optional<MoveMark> mark_of(std::string_view text) noexcept { return find_name<MoveMark>(mark_texts, text); }
std::string_view name(ShapeColour colour) noexcept { return colour_names[static_cast<std::size_t>(colour)]; }
std::optional<ShapeColour> colour_of(std::string_view text) noexcept {
  return find_name<ShapeColour>(colour_names, text);
}

bool is_tag_name(std::string_view name) noexcept {
  constexpr std::size_t max_name = 60;
  const auto letter = [](char c) { return lowered(c) >= 'a' && lowered(c) <= 'z'; };
  if (name.empty() || name.size() > max_name || !letter(name.front())) return false;
  return std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || is_digit(c) || c == '_'; });
}

Result<GameTree> GameTree::open(GamePtr game, std::string_view start) {
  GameTree tree(std::move(game));
  if (start.empty()) return tree;
  const auto session = tree.game_->start_from_text(start);
  if (!session) return tl::unexpected(session.error());
  if ((*session)->board() != tree.game_->notation().initial()) tree.start_ = (*session)->position_text();
  return tree;
}

std::unique_ptr<Session> GameTree::session() const { return play::known_start(*game_, start_); }

std::unique_ptr<Session> GameTree::session_at_end() const {
  auto at_end = session();
  for (const std::size_t i : main_line()) at_end->play(nodes_[i].turn);
  return at_end;
}

std::vector<std::size_t> GameTree::main_line() const {
  std::vector<std::size_t> line;
  for (std::size_t at = 0; !nodes_[at].children.empty();) {
    at = nodes_[at].children.front();
    line.push_back(at);
  }
  return line;
}

std::size_t GameTree::ply(std::size_t node) const {
  std::size_t count = 0;
  for (; node != 0; node = nodes_[node].parent) ++count;
  return count;
}

bool GameTree::has_variations() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [](const TreeNode& n) { return n.children.size() > 1; });
}

void GameTree::set_comment(std::size_t node, std::string_view text) {
  std::string fit = fit_text(text, true);
  // Cut between characters.
  while (fit.size() > max_comment || (!fit.empty() && !is_utf8(fit))) fit.resize(std::min(fit.size() - 1, max_comment));
  nodes_[node].comment = std::string(trimmed(fit));
}

void GameTree::set_score(std::size_t node, std::optional<int> score, int depth) {
  nodes_[node].score = score;
  nodes_[node].depth = depth;
}

void GameTree::set_player(std::size_t side, std::string_view name) { players_[side] = fit_text(name, false); }

void GameTree::add_tag(std::string_view name, std::string_view value) {
  PAIKA_CHECK(is_tag_name(name));
  if (std::string fit = fit_text(value, false); !fit.empty()) tags_.emplace_back(std::string(name), std::move(fit));
}

std::string_view GameTree::tag(std::string_view name) const noexcept {
  const auto found = std::find_if(tags_.begin(), tags_.end(), [&](const Tag& tag) { return tag.first == name; });
  return found == tags_.end() ? std::string_view() : found->second;
}

Result<void> GameTree::set_result(play::GameResult result) {
  if (const auto good = play::check_result(session_at_end()->outcome(), result); !good) return good;
  result.remark = fit_text(result.remark, false);
  result_ = std::move(result);
  return {};
}

void GameTree::set_result_by_rules() {
  const Outcome outcome = session_at_end()->outcome();
  result_ = outcome.over() ? play::GameResult{outcome.verdict, std::string(paika::name(outcome.reason)), ""}
                           : play::GameResult{};
}

// ---- The cursor ----

std::optional<std::size_t> TreeCursor::child(std::string_view move) const {
  for (const std::size_t i : tree_->nodes_[node_].children) {
    if (tree_->nodes_[i].move == move) return i;
  }
  return std::nullopt;
}

Result<void> TreeCursor::play(std::string_view move) {
  // Most moves are written as the tree has them.
  if (const auto known = child(move)) return play(tree_->nodes_[*known].turn);
  const auto turn = session_->read_turn(move);
  if (!turn) return fail("{}: {}", in_quotes(move), refusal_sentence(session_->notation(), turn.error()));
  return play(*turn);
}

Result<void> TreeCursor::play(const Turn& turn) {
  std::vector<TreeNode>& nodes = tree_->nodes_;
  std::string move = session_->notation().turn_text(session_->board(), turn);
  auto next = child(move);
  if (!next) {
    if (nodes.size() > GameTree::max_nodes) return fail("a game may have at most {} moves in all", GameTree::max_nodes);
    next = nodes.size();
    nodes[node_].children.push_back(*next);
    TreeNode& added = nodes.emplace_back();
    added.parent = node_;
    added.move = std::move(move);
    added.turn = turn;
  }
  session_->play(turn);
  node_ = *next;
  return {};
}

bool TreeCursor::back() {
  if (node_ == 0) return false;
  PAIKA_CHECK(session_->undo());
  node_ = tree_->nodes_[node_].parent;
  return true;
}

void TreeCursor::go(std::size_t ancestor, std::size_t child) {
  while (node_ != ancestor) PAIKA_CHECK(back());
  session_->play(tree_->nodes_[child].turn);
  node_ = child;
}

// ---- Records ----

namespace {

constexpr std::array<std::string_view, 2> limits_tags = {"FirstLimits", "SecondLimits"};
constexpr std::array<std::string_view, 2> since_tags = {"FirstSince", "SecondSince"};

void add_count(GameTree& tree, std::string_view tag, std::int64_t count) {
  if (count > 0) tree.add_tag(tag, fmt::to_string(count));
}

/// Reads a tag of ours into the record; false if it is none, or does not fit the record.
bool take_tag(play::GameRecord& record, const Tag& tag) {
  const auto& [key, value] = tag;
  const auto number = parse_int(value);
  const bool turns = number && *number > 0 && *number <= static_cast<std::int64_t>(record.turns.size());
  for (std::size_t side = 0; side < 2; ++side) {
    if (key == limits_tags[side]) {
      const auto settings = play::read_settings(value);
      if (!settings || play::limits_text(settings->limits) != value) return false;
      record.limits[side] = settings->limits;
      return true;
    }
    if (key == since_tags[side] && turns) {
      record.since[side] = static_cast<int>(*number);
      return true;
    }
  }
  if (key == "Opening" && turns) {
    record.opening = static_cast<int>(*number);
    return true;
  }
  constexpr std::int64_t max_pending = 1'000'000'000'000;
  if (key == "Pending" && number && *number >= 0 && *number <= max_pending) {
    record.pending = std::chrono::microseconds(*number);
    return true;
  }
  if (key == "Note") record.notes.push_back(value);
  return key == "Note";
}

}  // namespace

GameTree tree_of(const play::GameRecord& record) {
  auto game = open_game(record.spec);
  PAIKA_CHECK(game.has_value());
  auto opened = GameTree::open(std::move(*game), record.start);
  PAIKA_CHECK(opened.has_value());
  GameTree tree = std::move(*opened);
  for (std::size_t side = 0; side < 2; ++side) {
    tree.set_player(side, record.players[side]);
    tree.add_tag(limits_tags[side], play::limits_text(record.limits[side]));
    add_count(tree, since_tags[side], record.since[side]);
  }
  for (const std::string& note : record.notes) tree.add_tag("Note", note);
  add_count(tree, "Opening", record.opening);
  if (record.pending) tree.add_tag("Pending", fmt::to_string(record.pending->count()));
  TreeCursor cursor(tree);
  for (const play::RecordedTurn& turn : record.turns) {
    PAIKA_CHECK(cursor.play(turn.text).has_value());  // a record that was read is a legal game
    tree.set_time(cursor.node(), turn.time);
    tree.set_score(cursor.node(), turn.score, turn.depth);
  }
  PAIKA_CHECK(tree.set_result(record.result).has_value());
  return tree;
}

play::GameRecord record_of(const GameTree& tree) {
  play::GameRecord record;
  record.spec = tree.spec();
  record.players = tree.players();
  record.start = tree.start();
  for (const std::size_t i : tree.main_line()) {
    const TreeNode& node = tree.node(i);
    record.turns.push_back({node.move, node.time, node.score, node.depth});
  }
  for (const Tag& tag : tree.tags()) {
    if (!take_tag(record, tag)) record.notes.push_back(fmt::format("{}: {}", tag.first, tag.second));
  }
  record.result = tree.result();
  return record;
}

}  // namespace paika::study
