#include "engine/table_engine.hpp"

#include <algorithm>
#include <utility>

#include "engine/tables.hpp"

namespace paika {

namespace {

constexpr std::size_t max_line = 60;

[[nodiscard]] int score_of(Value value) {
  if (!value.has_distance()) return value.is_win() ? table_win_score : -table_win_score;
  if (value.is_win()) return win_in(std::min(value.turns(), longest_win));
  return value.is_loss() ? loss_in(std::min(value.turns(), longest_win)) : 0;
}

class TableEngine final : public Engine {
 public:
  TableEngine(std::unique_ptr<Engine> searcher, std::unique_ptr<TableBook> book, const SearchSettings& settings)
      : searcher_(std::move(searcher)), book_(std::move(book)), settings_(settings) {}

  [[nodiscard]] Decision think(const Session& session, const SearchLimits& limits, std::stop_token stop,
                               const std::function<void(const SearchInfo&)>& on_progress) override {
    const auto start = std::chrono::steady_clock::now();
    auto turns = plays_perfectly() ? book_->turns(session) : no_turns();
    if (!turns || !*turns || (*turns)->empty()) return searcher_->think(session, limits, std::move(stop), on_progress);
    std::vector<ValuedTurn> known = std::move(**turns);
    const Value best = known.front().value;
    if (best.is_draw() || !best.has_distance()) prefer_searched(known, session, limits, std::move(stop));
    Decision decision;
    decision.turn = known.front().steps;
    decision.text = known.front().text;
    decision.table = book_->path();
    decision.info = info_of(session, known);
    decision.info.time = std::chrono::duration_cast<Milliseconds>(std::chrono::steady_clock::now() - start);
    if (on_progress) on_progress(decision.info);
    return decision;
  }
  void set(const SearchSettings& settings) override {
    settings_ = settings;
    searcher_->set(settings);
  }
  void forget() override { searcher_->forget(); }

 private:
  using Turns = Result<std::optional<std::vector<ValuedTurn>>>;
  [[nodiscard]] static Turns no_turns() { return std::optional<std::vector<ValuedTurn>>(); }

  [[nodiscard]] bool plays_perfectly() const {
    return settings_.level == full_level && !settings_.plan && settings_.features.endings;
  }

  /// Of several turns that draw, or win by a table that does not tell how soon, the one that the search likes comes
  /// first: it may give the other side trouble, and it gets on.
  void prefer_searched(std::vector<ValuedTurn>& known, const Session& session, const SearchLimits& limits,
                       std::stop_token stop) {
    const Value best = known.front().value;
    if (known.size() < 2 || known[1].value != best) return;
    const Decision searched = searcher_->think(session, limits, std::move(stop), {});
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const ValuedTurn& turn) { return turn.text == searched.text; });
    if (found != known.end() && found->value == best) std::rotate(known.begin(), found, found + 1);
  }

  [[nodiscard]] SearchInfo info_of(const Session& session, const std::vector<ValuedTurn>& known) {
    SearchInfo info;
    info.nodes = known.size();
    const auto lines = std::min(known.size(), static_cast<std::size_t>(settings_.lines));
    for (std::size_t i = 0; i < lines; ++i) info.lines.push_back(line_of(session, known[i]));
    info.depth = static_cast<int>(info.lines.front().turns.size());
    info.selective_depth = info.depth;
    return info;
  }

  /// The turn, and perfect play after it.
  [[nodiscard]] InfoLine line_of(const Session& session, const ValuedTurn& first) {
    InfoLine line{score_of(first.value), true, false, {first.steps}, {first.text}};
    const auto scratch = session.game().start_from(session.board());
    scratch->play(first.steps);
    const auto rest = perfect_line(*book_, *scratch, max_line - 1);
    if (!rest) return line;  // the file is damaged further on: the turn itself stands
    for (const ValuedTurn& turn : *rest) {
      line.turns.push_back(turn.steps);
      line.texts.push_back(turn.text);
    }
    return line;
  }

  std::unique_ptr<Engine> searcher_;
  std::unique_ptr<TableBook> book_;
  SearchSettings settings_;
};

}  // namespace

std::unique_ptr<Engine> with_tables(const Game& game, std::unique_ptr<Engine> searcher,
                                    const SearchSettings& settings) {
  auto book = TableBook::open(game.notation().spec(), settings.tables);
  if (!book || *book == nullptr) return searcher;
  return std::make_unique<TableEngine>(std::move(searcher), std::move(*book), settings);
}

}  // namespace paika
