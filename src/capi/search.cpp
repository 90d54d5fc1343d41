// Engines, tables of perfect play and records of the C interface.
#include <algorithm>
#include <fmt/format.h>

#include "capi/handles.hpp"

using paika::InUse;
using paika::capi::fail_with;
using paika::capi::guarded;

namespace {

/// A SearchInfo as C sees it; what it points to is its own.
class CInfo {
 public:
  explicit CInfo(const paika::SearchInfo& info) {
    texts_.reserve(info.lines.size());
    for (const paika::InfoLine& line : info.lines) {
      texts_.push_back(line.texts);
      scores_.push_back(paika::score_text(line));
    }
    for (const auto& line : texts_) {
      auto& pointers = pointers_.emplace_back();
      for (const std::string& text : line) pointers.push_back(text.c_str());
    }
    for (std::size_t i = 0; i < info.lines.size(); ++i) {
      const paika::InfoLine& line = info.lines[i];
      lines_.push_back({line.score, line.exact ? 1 : 0, line.at_most ? 1 : 0, pointers_[i].size(), pointers_[i].data(),
                        scores_[i].c_str()});
    }
    info_ = {info.depth,          info.selective_depth, info.nodes,   static_cast<std::int64_t>(info.time.count()),
             info.table_permille, lines_.size(),        lines_.data()};
  }
  CInfo(const CInfo&) = delete;
  CInfo& operator=(const CInfo&) = delete;
  [[nodiscard]] const paika_search_info& get() const noexcept { return info_; }

 private:
  std::vector<std::vector<std::string>> texts_;
  std::vector<std::string> scores_;
  std::vector<std::vector<const char*>> pointers_;
  std::vector<paika_line> lines_;
  paika_search_info info_{};
};

paika_status busy(std::string_view what) {
  return fail_with(PAIKA_BUSY, fmt::format("another thread is using this {}: give each thread its own", what));
}

/// The limits of a search; those of the engine if the text is null or empty.
paika::Result<paika::SearchLimits> read_limits(const paika_engine& engine, const char* text) {
  const auto read = paika::play::read_settings(text == nullptr ? "" : text);
  if (!read) return tl::unexpected(read.error());
  const std::string others = paika::play::search_settings_text(read->search);
  if (!others.empty()) {
    return paika::fail("'{}' is not a limit of a search; the limits are time, clock, depth and nodes", others);
  }
  if (paika::play::any_limit(read->limits)) return read->limits;
  if (paika::play::any_limit(engine.limits)) return engine.limits;
  paika::SearchLimits limits;
  limits.move_time = paika::play::standard_move_time;
  return limits;
}

paika_value c_value(const paika::Value& value) {
  if (value.is_draw()) return {0, -1};
  return {value.is_win() ? 1 : -1, value.has_distance() ? value.turns() : -1};
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name of C
struct paika_search {
  explicit paika_search(paika::Decision decided) : decision(std::move(decided)), info(decision.info) {}
  paika::Decision decision;
  CInfo info;
};

// ---- Engines ----

paika_status paika_engine_open(const paika_game* game, const char* settings, const char* tables,
                               paika_engine** engine) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(engine);
    *engine = nullptr;
    PAIKA_NEED(game);
    auto read = paika::play::read_settings(settings == nullptr ? "" : settings);
    if (!read) return fail_with(PAIKA_BAD_TEXT, read.error().message);
    if (tables != nullptr) read->search.tables = tables;
    auto opened = std::make_unique<paika_engine>();
    opened->game = game->game;
    opened->engine = game->game->engine(read->search);
    opened->limits = read->limits;
    *engine = opened.release();
    return PAIKA_OK;
  });
}

void paika_engine_free(paika_engine* engine) { delete engine; }

paika_status paika_engine_forget(paika_engine* engine) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(engine);
    const InUse use(engine->busy);
    if (!use) return busy("engine");
    engine->engine->forget();
    return PAIKA_OK;
  });
}

paika_status paika_engine_search(paika_engine* engine, const paika_position* position, const char* limits,
                                 paika_progress progress, void* user, paika_search** search) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(search);
    *search = nullptr;
    PAIKA_NEED(engine);
    PAIKA_NEED(position);
    if (!paika::capi::same_game(*engine->game, *position->position.game())) {
      return paika::capi::other_game(function, *engine->game, *position->position.game());
    }
    const auto read = read_limits(*engine, limits);
    if (!read) return fail_with(PAIKA_BAD_TEXT, read.error().message);
    const paika::Session& given = position->position.session();
    if (given.outcome().over()) return fail_with(PAIKA_GAME_OVER, "the game is over: there is nothing to search");
    const InUse use(engine->busy);
    if (!use) return busy("engine");
    std::stop_source stop;
    {
      const std::lock_guard lock(engine->mutex);
      engine->stop = stop;
    }
    const auto report = [&](const paika::SearchInfo& info) {
      const CInfo shown(info);
      if (progress(&shown.get(), user) != 0) stop.request_stop();
    };
    using Report = std::function<void(const paika::SearchInfo&)>;
    const paika::play::PlayedPosition own = position->position.in(engine->game);
    *search = new paika_search(
        engine->engine->think(own.session(), *read, stop.get_token(), progress == nullptr ? Report{} : Report(report)));
    return PAIKA_OK;
  });
}

void paika_engine_stop(paika_engine* engine) {
  if (engine == nullptr) return;
  const std::lock_guard lock(engine->mutex);
  engine->stop.request_stop();
}

void paika_search_free(paika_search* search) { delete search; }
const char* paika_search_move(const paika_search* search) {
  return search == nullptr ? nullptr : search->decision.text.c_str();
}
const paika_search_info* paika_search_get_info(const paika_search* search) {
  return search == nullptr ? nullptr : &search->info.get();
}

// ---- Tables ----

paika_status paika_table_open(const paika_game* game, const char* folder, paika_table** table) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(table);
    *table = nullptr;
    PAIKA_NEED(game);
    const std::string where = folder == nullptr ? paika::default_tables_folder() : folder;
    auto book = paika::TableBook::open(game->spec, where);
    if (!book) return fail_with(PAIKA_BAD_TEXT, book.error().message);
    if (*book == nullptr) {
      return fail_with(PAIKA_NOT_FOUND,
                       fmt::format("there is no table of {} in {}; `paika solve` makes tables", game->spec, where));
    }
    auto opened = std::make_unique<paika_table>();
    opened->game = game->game;
    opened->book = std::move(*book);
    *table = opened.release();
    return PAIKA_OK;
  });
}

void paika_table_free(paika_table* table) { delete table; }
const char* paika_table_path(const paika_table* table) {
  return table == nullptr ? nullptr : table->book->path().c_str();
}

namespace {

/// What both questions to a table begin with.
paika_status check_question(const paika_table& table, const paika_position& position, std::string_view function) {
  if (paika::capi::same_game(*table.game, *position.position.game())) return PAIKA_OK;
  return paika::capi::other_game(function, *table.game, *position.position.game());
}

}  // namespace

paika_status paika_table_value(paika_table* table, const paika_position* position, paika_value* value) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(value);
    *value = {0, -1};
    PAIKA_NEED(table);
    PAIKA_NEED(position);
    if (const auto status = check_question(*table, *position, function); status != PAIKA_OK) return status;
    const InUse use(table->busy);
    if (!use) return busy("table");
    const auto found = table->book->value(position->position.session());
    if (!found) return fail_with(PAIKA_BAD_TEXT, found.error().message);
    if (!*found) return fail_with(PAIKA_NOT_FOUND, "the table does not hold this position");
    *value = c_value(**found);
    return PAIKA_OK;
  });
}

paika_status paika_table_moves(paika_table* table, const paika_position* position, paika_moves** moves,
                               const paika_value** values) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(moves);
    *moves = nullptr;
    if (values != nullptr) *values = nullptr;
    PAIKA_NEED(table);
    PAIKA_NEED(position);
    if (const auto status = check_question(*table, *position, function); status != PAIKA_OK) return status;
    const InUse use(table->busy);
    if (!use) return busy("table");
    const auto found = table->book->turns(position->position.session());
    if (!found) return fail_with(PAIKA_BAD_TEXT, found.error().message);
    if (!*found) return fail_with(PAIKA_NOT_FOUND, "the table does not hold all moves of this position");
    auto list = std::make_unique<paika_moves>();
    for (const paika::ValuedTurn& turn : **found) {
      list->texts.push_back(turn.text);
      list->steps.push_back(paika::capi::c_steps(turn.steps));
      list->values.push_back(c_value(turn.value));
    }
    if (values != nullptr) *values = list->values.data();
    *moves = list.release();
    return PAIKA_OK;
  });
}

// ---- Records ----

paika_status paika_position_record(const paika_position* position, const char* first, const char* second, char** text) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(text);
    *text = nullptr;
    PAIKA_NEED(position);
    const auto or_empty = [](const char* name) { return name == nullptr ? "" : name; };
    *text = paika::capi::copied(paika::play::record_text(position->position.record(or_empty(first), or_empty(second))));
    return PAIKA_OK;
  });
}

paika_status paika_records_parse(const char* text, paika_records** records) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(records);
    *records = nullptr;
    PAIKA_NEED(text);
    auto parsed = paika::play::parse_records(text);
    if (!parsed) return fail_with(PAIKA_BAD_TEXT, parsed.error().message);
    *records = new paika_records{std::move(*parsed)};
    return PAIKA_OK;
  });
}

void paika_records_free(paika_records* records) { delete records; }
size_t paika_records_count(const paika_records* records) { return records == nullptr ? 0 : records->records.size(); }

const char* paika_records_player(const paika_records* records, size_t index, int player) {
  if (index >= paika_records_count(records) || player < 0 || player > 1) return nullptr;
  return records->records[index].players[static_cast<std::size_t>(player)].c_str();
}

namespace {

paika_status no_record(const paika_records& records, size_t index) {
  return fail_with(PAIKA_BAD_ARGUMENT,
                   fmt::format("there is no record {}: there are {}, counted from 0", index, records.records.size()));
}

}  // namespace

paika_status paika_records_outcome(const paika_records* records, size_t index, paika_outcome* outcome) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(outcome);
    *outcome = paika::capi::c_outcome({});
    PAIKA_NEED(records);
    if (index >= records->records.size()) return no_record(*records, index);
    const paika::play::GameResult& result = records->records[index].result;
    *outcome = {static_cast<paika_verdict>(result.verdict), result.reason.c_str()};
    return PAIKA_OK;
  });
}

paika_status paika_records_position(const paika_records* records, size_t index, paika_position** position) {
  return guarded(__func__, [&](const char* function) {
    PAIKA_NEED(position);
    *position = nullptr;
    PAIKA_NEED(records);
    if (index >= records->records.size()) return no_record(*records, index);
    *position = new paika_position{paika::play::PlayedPosition::of(records->records[index])};
    return PAIKA_OK;
  });
}
