#include "engine/opening_book.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "base/check.hpp"
#include "base/data.hpp"
#include "base/text.hpp"

namespace paika {

namespace {

constexpr std::string_view book_magic = "PAIKABOK";
constexpr std::uint32_t book_version = 1;
constexpr std::uint32_t max_book_spec = 4095;
constexpr std::size_t checksum_bytes = 8;

// ---- Scores in 16 bits: evaluations up to 30000, beyond them wins, the nearest at the end ----

constexpr int max_evaluation = 30'000;
constexpr int nearest_win = 32'767;
constexpr int farthest_win = nearest_win - max_evaluation - 1;  // plies

int score_code(int score) noexcept {
  if (is_won(score)) return nearest_win - (is_win(score) ? std::min(plies_to(score), farthest_win) : farthest_win);
  if (is_lost(score)) return -score_code(-score);
  return std::clamp(score, -max_evaluation, max_evaluation);
}

int score_from(int code) noexcept {
  if (code > max_evaluation) return win_in(nearest_win - code);
  return code < -max_evaluation ? -score_from(-code) : code;
}

void put_score(ByteSink& out, int score) {
  out.put(static_cast<std::uint16_t>(static_cast<std::int16_t>(score_code(score))));
}

/// Nothing for the one number that no score has.
std::optional<int> take_score(ByteSource& in) {
  const int code = static_cast<std::int16_t>(in.take<std::uint16_t>());
  return code < -nearest_win ? std::nullopt : std::optional<int>(score_from(code));
}

bool ranks_before(const BookMove& a, const BookMove& b) noexcept {
  return a.score != b.score ? a.score > b.score : a.mark < b.mark;
}

/// The next position; an error if no book has such a one.
Result<BookPosition> take_position(ByteSource& in, std::size_t number) {
  const auto wrong = [&](std::string_view what) { return fail("position {} of the book {}", number + 1, what); };
  BookPosition position;
  position.key = in.take<std::uint64_t>();
  const auto value = take_score(in);
  position.ply = in.take<std::uint16_t>();
  position.depth = in.take<std::uint8_t>();
  const std::size_t count = in.take<std::uint8_t>();
  if (!in.ok()) return wrong("is cut off");
  if (count == 0) return wrong("has no moves");
  if (!value) return wrong("has an impossible value");
  position.value = *value;
  std::set<MoveMark> marks;
  for (std::size_t i = 0; i < count; ++i) {
    BookMove move;
    move.mark = in.take<std::uint32_t>();
    const auto score = take_score(in);
    if (!in.ok()) return wrong("is cut off");
    if (!score) return wrong("has an impossible score");
    move.score = *score;
    if (!marks.insert(move.mark).second) return wrong("has a move twice");
    if (i > 0 && !ranks_before(position.moves.back(), move)) return wrong("has moves out of order");
    position.moves.push_back(move);
  }
  return position;
}

}  // namespace

int score_before(int value) noexcept {
  if (is_win(value)) return 1 - value;
  return is_loss(value) ? -1 - value : -value;
}

int bookable(int score) noexcept { return score_from(score_code(score)); }

OpeningBook::OpeningBook(std::string spec, std::vector<BookPosition> positions)
    : spec_(std::move(spec)), positions_(std::move(positions)) {
  std::sort(positions_.begin(), positions_.end(),
            [](const BookPosition& a, const BookPosition& b) { return a.key < b.key; });
  for (BookPosition& position : positions_) {
    PAIKA_CHECK(!position.moves.empty() && position.moves.size() <= max_moves);
    PAIKA_CHECK(position.ply >= 0 && position.ply <= max_ply && position.depth >= 0 && position.depth <= max_depth);
    std::sort(position.moves.begin(), position.moves.end(), ranks_before);
  }
}

Result<OpeningBook> OpeningBook::parse(Bytes bytes) {
  if (bytes.size() < book_magic.size() + checksum_bytes || !as_text(bytes).starts_with(book_magic)) {
    return fail("this is no opening book: one begins with {} and ends with a checksum", book_magic);
  }
  ByteSource in(bytes.first(bytes.size() - checksum_bytes));
  (void)in.take_bytes(book_magic.size());
  const auto made_by = in.take<std::uint32_t>();
  if (in.ok() && made_by != book_version) {
    return fail("this book has version {} of the format, and this program reads version {}", made_by, book_version);
  }
  if (checksum64(bytes.first(bytes.size() - checksum_bytes)) !=
      get_little_endian<std::uint64_t>(bytes.last(checksum_bytes).data())) {
    return fail("the book is damaged or cut off: its checksum is wrong");
  }
  const auto spec_bytes = in.take<std::uint32_t>();
  if (!in.ok() || spec_bytes == 0 || spec_bytes > max_book_spec) return fail("the book names no game");
  std::string spec(as_text(in.take_bytes(spec_bytes)));
  const auto count = in.take<std::uint64_t>();
  if (!in.ok()) return fail("the book's header is cut off");
  std::vector<BookPosition> positions;
  for (std::uint64_t i = 0; i < count; ++i) {
    auto position = take_position(in, positions.size());
    if (!position) return tl::unexpected(position.error());
    if (!positions.empty() && positions.back().key >= position->key) {
      return fail("position {} of the book is out of order", positions.size() + 1);
    }
    positions.push_back(std::move(*position));
  }
  if (!in.rest().empty()) return fail("the book goes on for {} bytes after its last position", in.rest().size());
  return OpeningBook(std::move(spec), std::move(positions));
}

std::vector<std::uint8_t> OpeningBook::bytes() const {
  ByteSink out;
  out.put(book_magic);
  out.put(book_version);
  out.put(static_cast<std::uint32_t>(spec_.size()));
  out.put(std::string_view(spec_));
  out.put(static_cast<std::uint64_t>(positions_.size()));
  for (const BookPosition& position : positions_) {
    out.put(position.key);
    put_score(out, position.value);
    out.put(static_cast<std::uint16_t>(position.ply));
    out.put(static_cast<std::uint8_t>(position.depth));
    out.put(static_cast<std::uint8_t>(position.moves.size()));
    for (const BookMove& move : position.moves) {
      out.put(move.mark);
      put_score(out, move.score);
    }
  }
  out.put(checksum64(out.bytes()));
  return std::move(out).take();
}

const BookPosition* OpeningBook::find(std::uint64_t key) const noexcept {
  const auto at = std::lower_bound(positions_.begin(), positions_.end(), key,
                                   [](const BookPosition& p, std::uint64_t wanted) { return p.key < wanted; });
  return at != positions_.end() && at->key == key ? &*at : nullptr;
}

std::optional<int> OpeningBook::score(const BookPosition& position, std::uint64_t key) const noexcept {
  const auto move = std::find_if(position.moves.begin(), position.moves.end(),
                                 [&](const BookMove& m) { return m.mark == mark_of(key); });
  if (move == position.moves.end()) return std::nullopt;
  const BookPosition* const next = find(key);
  return next != nullptr && next->ply > position.ply ? bookable(score_before(next->value)) : move->score;
}

BookPtr builtin_book(const std::string& spec) {
  static std::mutex mutex;
  static std::map<std::string, BookPtr> read;
  const std::scoped_lock lock(mutex);
  const auto known = read.find(spec);
  if (known != read.end()) return known->second;
  std::string name = spec;
  std::replace_if(name.begin(), name.end(), [](char c) { return c == ':' || c == ',' || c == '='; }, '-');
  const std::string_view data = data_file(name + ".book");
  BookPtr book;
  if (!data.empty()) {
    auto parsed = OpeningBook::parse(bytes_of(data));
    PAIKA_CHECK(parsed.has_value() && parsed->spec() == spec);
    book = std::make_shared<const OpeningBook>(std::move(*parsed));
  }
  return read.emplace(spec, std::move(book)).first->second;
}

Result<BookPtr> choose_book(const std::string& spec, const std::string& chosen) {
  if (chosen.empty() || chosen == no_book_name) return BookPtr();
  if (chosen == builtin_book_name) return builtin_book(spec);
  return read_book(spec, chosen);
}

std::vector<KnownMove> BookReader::moves(const Session& session) {
  std::vector<KnownMove> known;
  const BookPosition* const position = find(session);
  if (position == nullptr || session.outcome().over()) return known;
  const auto after = session.clone();
  session.for_each_turn([&](const ListedTurn& turn) {
    after->play(turn.steps);
    const std::uint64_t key = keys_.key(after->board());
    after->undo();
    if (const auto score = book_->score(*position, key)) known.push_back({turn.steps, turn.text, *score});
    return true;
  });
  std::stable_sort(known.begin(), known.end(),
                   [](const KnownMove& a, const KnownMove& b) { return a.score > b.score; });
  return known;
}

std::vector<KnownMove> BookReader::line(const Session& session, std::size_t most) {
  std::vector<KnownMove> line;
  const auto scratch = session.clone();
  while (line.size() < most) {
    auto known = moves(*scratch);
    if (known.empty()) break;
    scratch->play(known.front().turn);
    line.push_back(std::move(known.front()));
  }
  return line;
}

}  // namespace paika
