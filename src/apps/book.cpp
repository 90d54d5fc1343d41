// `paika book grow | show | verify`: opening books.
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <new>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "apps/interrupt.hpp"
#include "apps/stderr.hpp"
#include "apps/tables_input.hpp"
#include "base/text.hpp"
#include "engine/opening_book.hpp"
#include "engine/registry.hpp"
#include "play/settings.hpp"
#include "study/book_growth.hpp"

namespace paika::apps {

namespace {

using study::BookGraph;
using study::BookGrowth;

bool is_there(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

/// A book with its game.
struct OpenBook {
  GamePtr game;
  BookPtr book;
};

/// The book in a file, or the built-in one of a game.
Result<OpenBook> open_opening_book(const std::string& named) {
  if (is_there(named)) {
    auto book = read_book("", named);
    if (!book) return tl::unexpected(book.error());
    auto game = open_game((*book)->spec());
    if (!game) return fail("{} is a book for {}: {}", named, in_quotes((*book)->spec()), game.error().message);
    return OpenBook{std::move(*game), std::move(*book)};
  }
  auto game = open_game(named);
  if (!game) return fail("there is no file {}, nor a game with a built-in book of that name", in_quotes(named, 200));
  auto book = builtin_book((*game)->notation().spec());
  if (!book) return fail("{} has no built-in book; paika book grow makes one", (*game)->notation().spec());
  return OpenBook{std::move(*game), std::move(book)};
}

// ---- grow ----

Result<double> read_weight(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error == std::errc{} && end == text.data() + text.size() && number >= 0 && number <= 1000) return number;
  return fail("--loss-weight must be a number from 0 to 1000, not {}", in_quotes(text));
}

Result<BookGrowth> read_growth(const BookArgs& args) {
  BookGrowth growth;
  growth.moves = static_cast<std::size_t>(args.moves);
  growth.nodes = static_cast<std::uint64_t>(args.nodes);
  growth.max_positions = static_cast<std::size_t>(args.positions);
  growth.threads = args.threads;
  growth.hash_mb = args.hash_mb;
  const auto weight = read_weight(args.loss_weight);
  if (!weight) return tl::unexpected(weight.error());
  growth.loss_weight = *weight;
  if (!args.time.empty()) {
    const auto time = play::read_duration(args.time, Milliseconds(1));
    if (!time) return fail("--time: {}", time.error().message);
    growth.time = *time;
  }
  return growth;
}

/// The book that grows: the one in the file, or a new one, which begins as the built-in one unless it is to be empty.
Result<OpenBook> begin_book(const BookArgs& args) {
  if (is_there(args.book)) {
    auto opened = open_opening_book(args.book);
    if (!opened || args.game.empty()) return opened;
    const auto asked = open_game(args.game);
    if (!asked) return tl::unexpected(asked.error());
    if ((*asked)->notation().spec() == opened->book->spec()) return opened;
    return fail("{} is a book for {}, not for {}", args.book, opened->book->spec(), (*asked)->notation().spec());
  }
  if (args.game.empty()) return fail("there is no file {} yet: --game says for which game", in_quotes(args.book, 200));
  auto game = open_game(args.game);
  if (!game) return tl::unexpected(game.error());
  const std::string spec = (*game)->notation().spec();
  BookPtr book = args.empty ? nullptr : builtin_book(spec);
  if (!book) book = std::make_shared<const OpeningBook>(spec, std::vector<BookPosition>());
  return OpenBook{std::move(*game), std::move(book)};
}

/// "1200 positions, the longest line has 21 moves, the start is worth -0.25".
std::string summary(BookGraph& graph) {
  if (graph.size() == 0) return "no positions";
  return fmt::format("{} position{}, the longest line has {} moves, the start is worth {}", graph.size(),
                     graph.size() == 1 ? "" : "s", graph.longest_line() + 1, score_text(graph.value()));
}

int grow(const BookArgs& args) {
  const auto growth = read_growth(args);
  if (!growth) return complain(growth.error().message);
  const auto begun = begin_book(args);
  if (!begun) return complain(begun.error().message);
  auto graph = BookGraph::open(begun->game, *begun->book);
  if (!graph) return complain(fmt::format("{}: {}", args.book, graph.error().message));
  // Before hours of work, not after them: can the file be written?
  if (auto saved = write_book(graph->book(), args.book); !saved) return complain(saved.error().message);
  const Interrupt interrupt;
  using Clock = std::chrono::steady_clock;
  const bool shown = isatty(STDERR_FILENO) == 1;
  auto last_saved = Clock::now();
  auto last_shown = last_saved;
  std::optional<Error> unsaved;
  std::stop_source done;
  const std::stop_callback pass_on(interrupt.token(), [&] { done.request_stop(); });
  const auto on_added = [&](BookGraph& grown) {
    const auto now = Clock::now();
    if (shown && now - last_shown >= std::chrono::seconds(1)) {
      last_shown = now;
      to_stderr(fmt::format("\r{}   ", summary(grown)));
    }
    if (now - last_saved < std::chrono::seconds(args.save_every)) return;
    if (auto saved = write_book(grown.book(), args.book); !saved) {
      unsaved = saved.error();
      done.request_stop();
    }
    last_saved = Clock::now();
  };
  study::grow_book(begun->game, *graph, *growth, on_added, done.get_token());
  if (shown) to_stderr("\n");
  if (unsaved) return complain(unsaved->message);
  if (auto saved = write_book(graph->book(), args.book); !saved) return complain(saved.error().message);
  fmt::print("{}: {}\n", begun->book->spec(), summary(*graph));
  return finish(exit_done);
}

// ---- show ----

Json show_json(const OpenBook& opened, const Session& session, const BookPosition* position,
               const std::vector<KnownMove>& known) {
  Json json{{"spec", opened.book->spec()},
            {"positions", opened.book->positions().size()},
            {"bytes", opened.book->bytes().size()},
            {"position", session.position_text()},
            {"moves", Json::array()}};
  if (position != nullptr) {
    json.update(score_json(position->value));
    json["depth"] = position->depth;
  }
  for (const KnownMove& move : known) {
    Json item = score_json(move.score);
    item["move"] = move.text;
    json["moves"].push_back(std::move(item));
  }
  return json;
}

int show(const BookArgs& args) {
  const auto opened = open_opening_book(args.book);
  if (!opened) return complain(opened.error().message);
  PositionArgs at = args.at;
  at.spec = opened->book->spec();
  const auto session = open_position(at);
  if (!session) return complain(session.error().message);
  BookReader reader(opened->book, opened->game->notation());
  const BookPosition* const position = reader.find(**session);
  const auto known = reader.moves(**session);
  if (at.json) {
    fmt::print("{}\n", show_json(*opened, **session, position, known).dump(2));
  } else {
    for (const KnownMove& move : known) fmt::print("{}\t{}\n", move.text, score_text(move.score));
    to_stderr(fmt::format("book for {}: {} positions, {}\n", opened->book->spec(), opened->book->positions().size(),
                          memory_text(opened->book->bytes().size())));
    if (position == nullptr) {
      to_stderr("it does not hold this position\n");
    } else {
      std::vector<std::string> line;
      for (const KnownMove& move : reader.line(**session, OpeningBook::max_ply)) line.push_back(move.text);
      to_stderr(fmt::format("scores are for {}, who is to move; searched to depth {}\nline: {}\n",
                            (*session)->notation().player_name((*session)->board().to_move), position->depth,
                            fmt::join(line, " ")));
    }
  }
  return finish(position == nullptr ? exit_no : exit_done);
}

// ---- verify ----

int wrong(std::string_view what) {
  fmt::print("wrong: {}\n", what);
  return finish(exit_no);
}

int verify(const BookArgs& args) {
  const auto opened = open_opening_book(args.book);
  if (!opened) return complain(opened.error().message);
  auto graph = BookGraph::open(opened->game, *opened->book);
  if (!graph) return wrong(graph.error().message);
  if (const auto contradiction = graph->contradiction()) return wrong(*contradiction);
  fmt::print("all {} positions of the book for {} are reached by legal moves, and their values follow from them\n",
             graph->size(), opened->book->spec());
  if (args.sample == 0 || graph->size() == 0) return finish(exit_done);
  const Interrupt interrupt;
  const auto sample = study::sample_book(opened->game, *graph, static_cast<std::size_t>(args.sample),
                                         static_cast<std::uint64_t>(args.seed), interrupt.token());
  fmt::print("{} positions searched again: their scores differ by {:.2f} pieces on average, by {:.2f} at most\n",
             sample.positions, sample.mean / 100, sample.largest / 100.0);
  if (sample.largest <= 100 * args.tolerance) return finish(exit_done);
  return wrong(fmt::format("{} differs by more than {} pieces", in_quotes(sample.where, 200), args.tolerance));
}

}  // namespace

int run_book(const BookArgs& args) {
  try {
    if (args.what == "grow") return grow(args);
    return args.what == "show" ? show(args) : verify(args);
  } catch (const std::bad_alloc&) {
    return complain(fmt::format("there is not enough memory for --hash {}", args.hash_mb));
  }
}

}  // namespace paika::apps
