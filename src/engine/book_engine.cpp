#include "engine/book_engine.hpp"

#include <algorithm>
#include <utility>

#include "base/random.hpp"
#include "engine/opening_book.hpp"

namespace paika {

namespace {

constexpr std::size_t max_book_line = 60;

class BookEngine final : public Engine {
 public:
  BookEngine(std::unique_ptr<Engine> searcher, BookPtr book, const Notation& notation, const SearchSettings& settings)
      : searcher_(std::move(searcher)), reader_(std::move(book), notation), settings_(settings) {}

  [[nodiscard]] Decision think(const Session& session, const SearchLimits& limits, std::stop_token stop,
                               const std::function<void(const SearchInfo&)>& on_progress) override {
    const auto start = std::chrono::steady_clock::now();
    const std::vector<KnownMove> known = reader_.moves(session);
    if (known.empty()) return searcher_->think(session, limits, std::move(stop), on_progress);
    if (!plays(limits)) return think_with(known, session, limits, std::move(stop), on_progress);
    Decision decision = play(session, known);
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
  [[nodiscard]] bool plays(const SearchLimits& limits) const {
    return (limits.move_time || limits.clock) && settings_.level >= first_book_level && !settings_.plan &&
           !settings_.book_shown_only;
  }

  /// Searches, and says what the book says of the lines found.
  [[nodiscard]] Decision think_with(const std::vector<KnownMove>& known, const Session& session,
                                    const SearchLimits& limits, std::stop_token stop,
                                    const std::function<void(const SearchInfo&)>& on_progress) {
    const auto add_book = [&](std::vector<InfoLine>& lines) {
      for (InfoLine& line : lines) {
        const auto move =
            std::find_if(known.begin(), known.end(), [&](const KnownMove& m) { return m.text == line.texts.front(); });
        if (move != known.end()) line.book = move->score;
      }
    };
    std::function<void(const SearchInfo&)> report;
    if (on_progress) {
      report = [&](SearchInfo info) {
        add_book(info.lines);
        on_progress(info);
      };
    }
    Decision decision = searcher_->think(session, limits, std::move(stop), report);
    add_book(decision.info.lines);
    return decision;
  }

  /// One of the best moves, by the seed; its line comes first, the others follow in the book's order.
  [[nodiscard]] Decision play(const Session& session, std::vector<KnownMove> known) {
    const auto equal = std::find_if(known.begin(), known.end(), [&](const KnownMove& move) {
      return move.score + nearly_equal < known.front().score;
    });
    Random random(mix64(settings_.seed + 1) ^ session.key());
    const auto chosen =
        known.begin() + static_cast<std::ptrdiff_t>(random.index(static_cast<std::size_t>(equal - known.begin())));
    std::rotate(known.begin(), chosen, chosen + 1);
    Decision decision;
    decision.turn = known.front().turn;
    decision.text = known.front().text;
    decision.book = true;
    decision.info.depth = reader_.find(session)->depth;
    const auto lines = std::min(known.size(), static_cast<std::size_t>(settings_.lines));
    for (std::size_t i = 0; i < lines; ++i) decision.info.lines.push_back(line_of(session, known[i]));
    decision.info.selective_depth =
        std::max(decision.info.depth, static_cast<int>(decision.info.lines.front().turns.size()));
    return decision;
  }

  /// The move, and the book's best line after it.
  [[nodiscard]] InfoLine line_of(const Session& session, const KnownMove& first) {
    InfoLine line;
    line.score = first.score;
    line.book = first.score;
    line.turns = {first.turn};
    line.texts = {first.text};
    const auto scratch = session.clone();
    scratch->play(first.turn);
    for (KnownMove& move : reader_.line(*scratch, max_book_line - 1)) {
      line.turns.push_back(std::move(move.turn));
      line.texts.push_back(std::move(move.text));
    }
    return line;
  }

  std::unique_ptr<Engine> searcher_;
  BookReader reader_;
  SearchSettings settings_;
};

}  // namespace

std::unique_ptr<Engine> with_book(const Game& game, std::unique_ptr<Engine> searcher, const SearchSettings& settings) {
  const auto book = choose_book(game.notation().spec(), settings.book.value_or(""));
  if (!book || *book == nullptr) return searcher;
  return std::make_unique<BookEngine>(std::move(searcher), *book, game.notation(), settings);
}

}  // namespace paika
