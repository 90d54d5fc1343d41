#include "solve/job.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "solve/finished.hpp"
#include "solve/message_file.hpp"
#include "solve/packing.hpp"
#include "solve/peers.hpp"
#include "solve/progress_reporter.hpp"
#include "solve/table_file.hpp"
#include "solve/table_writer.hpp"
#include "solve/work_folder.hpp"

namespace paika {

namespace {

/// Of the memory, what is left for buffers, tables of the space and the program itself.
constexpr std::uint64_t set_aside = std::uint64_t{96} << 20;

class SolveJob {
 public:
  SolveJob(const SolveSpace& space, SolveSettings settings)
      : space_(space),
        settings_(std::move(settings)),
        finished_(space.tiers(), settings_.threads),
        reporter_((settings_.verify ? 3 : 2) * places_up_to(space.tiers()), settings_.progress_interval,
                  progress_of(settings_)) {}

  /// Does the work, or what is left of it. An error if it was stopped, or a file cannot be written or is
  /// damaged; the work done so far is kept. With peers all return the same: wherever one of them may fail
  /// alone, they agree() before they go on.
  [[nodiscard]] Result<void> run() {
    // With peers, the first one owns the folder, and the others work in it.
    auto folder = WorkFolder::open(settings_.table + ".work", settings_.spec, leads());
    if (auto all = agree(settings_.peers, folder ? Result<void>() : tl::unexpected(folder.error())); !all) return all;
    std::vector<std::string> sections;
    for (std::uint32_t tier = 0; tier < space_.tiers(); ++tier) {
      sections.push_back(folder->path(tier, "section"));
      if (auto done = have_tier(*folder, tier); !done) return done;
    }
    Result<void> done;
    if (leads()) done = make_table(*folder, sections);
    if (auto all = agree(settings_.peers, done); !all) return all;
    if (leads()) folder->remove();
    return {};
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::uint64_t max_piece = std::uint64_t{1} << 20;  // positions handed over at once

  [[nodiscard]] tl::unexpected<Error> stopped() const {
    return fail("stopped; the same command resumes from here ({}.work)", settings_.table);
  }

  [[nodiscard]] Result<void> make_table(const WorkFolder& folder, const std::vector<std::string>& sections) {
    if (settings_.verify) {
      if (auto right = verify(); !right) return right;
    }
    return assemble_from(folder, settings_.table, settings_.spec, sections, settings_.distances, settings_.threads);
  }

  [[nodiscard]] Result<void> verify() {
    for (std::uint32_t tier = 0; tier < space_.tiers(); ++tier) {
      auto needed = space_.below(tier);
      needed.insert(needed.begin(), tier);
      if (auto ready = finished_.prepare(needed, settings_.memory); !ready) return ready;
      const auto wrong = space_.verify(tier, settings_.threads, finished_, reporter_, settings_.stop);
      if (const auto failure = finished_.failure()) return tl::unexpected(*failure);
      if (settings_.stop.stop_requested()) return stopped();
      if (wrong) {
        return fail("the value of tier {}, index {} does not follow from its moves", space_.tier_name(tier),
                    wrong->place.index);
      }
    }
    return {};
  }

  /// Takes the tier from its section file, or solves it.
  [[nodiscard]] Result<void> have_tier(const WorkFolder& folder, std::uint32_t tier) {
    const std::string path = folder.path(tier, "section");
    // All peers must see the same: the first one says whether the section is there.
    bool there = WorkFolder::exists(path);
    if (together()) there = settings_.peers->greatest(leads() && there ? 1 : 0) != 0;
    if (!there) {
      if (auto done = solve_tier(folder, tier); !done) return done;
    }
    auto section = TableSection::open(path);
    if (auto all = agree(settings_.peers, fits(section, path, tier)); !all) return all;
    finished_.add(tier, std::move(*section));
    reporter_.set_done(2 * places_up_to(tier + 1));
    return {};
  }

  /// An error if the section could not be opened or is not that of the tier.
  [[nodiscard]] Result<void> fits(const Result<TableSection>& section, const std::string& path,
                                  std::uint32_t tier) const {
    if (!section) return tl::unexpected(section.error());
    if (section->name() == space_.tier_name(tier) && section->positions() == space_.size(tier)) return {};
    return fail("{} holds another tier ({}) than expected ({}); remove the folder to start over", path, section->name(),
                space_.tier_name(tier));
  }

  [[nodiscard]] Result<void> solve_tier(const WorkFolder& folder, std::uint32_t tier) {
    TierPlan plan = plan_tier(space_, tier, settings_.memory);
    plan.parts = std::max(plan.parts, settings_.parts);
    const std::uint64_t part_bytes = plan.bytes / plan.parts + set_aside;
    const std::uint64_t for_lower = settings_.memory > part_bytes ? settings_.memory - part_bytes : 0;
    if (auto done = agree(settings_.peers, finished_.prepare(space_.below(tier), for_lower)); !done) return done;
    now_ = {.tier = plan.name};
    auto done = together()        ? with_peers(folder, tier)
                : plan.parts == 1 ? in_memory(folder, tier)
                                  : in_parts(folder, plan);
    if (!done) return done;
    if (leads()) folder.remove_all_but_sections(tier);
    return {};
  }

  // Many processes.

  [[nodiscard]] bool together() const { return settings_.peers != nullptr && settings_.peers->count() > 1; }
  [[nodiscard]] bool leads() const { return !together() || settings_.peers->rank() == 0; }

  [[nodiscard]] Result<void> with_peers(const WorkFolder& folder, std::uint32_t tier) {
    Peers& peers = *settings_.peers;
    const Parts parts(space_.size(tier), static_cast<std::uint64_t>(peers.count()), Part::block);
    const auto rank = static_cast<std::uint64_t>(peers.rank());
    const auto analysis = space_.analyse(tier, parts.run(rank), settings_.threads);
    const std::string state = folder.path(tier, fmt::format("state-of-{}", peers.count()), rank);
    auto level = begin_with_peers(*analysis, state);
    if (!level) return tl::unexpected(level.error());
    analysis->prepare({});
    Clock::time_point saved = Clock::now();
    for (int l = *level; l <= peers.greatest(analysis->part().highest()); ++l) {
      const bool stop = peers.greatest(settings_.stop.stop_requested() ? 1 : 0) != 0;
      if (stop || peers.greatest(Clock::now() - saved > settings_.save_every ? 1 : 0) != 0) {
        if (auto done = agree(&peers, analysis->part().save(state, l)); !done) return done;
        saved = Clock::now();
      }
      if (stop) return stopped();
      now_.level = l;
      expand_with_peers(*analysis, parts, l);
    }
    analysis->settle();
    return agree(&peers, write_with_peers(folder, tier, parts, *analysis));
  }

  /// As begin(), but a saved state counts only if all peers have one of the same level.
  [[nodiscard]] Result<int> begin_with_peers(TierAnalysis& analysis, const std::string& state) {
    Peers& peers = *settings_.peers;
    int level = -1;
    if (WorkFolder::exists(state)) {
      if (const auto known = analysis.part().load(state)) level = *known;
    }
    const std::int64_t most = peers.greatest(level);
    const std::int64_t least = -peers.greatest(-level);
    if (most == least && level >= 0) return level;
    if (level >= 0) analysis.part().clear();
    WorkFolder::remove_file(state);
    if (auto all = agree(&peers, first_look(analysis)); !all) return tl::unexpected(all.error());
    return 0;
  }

  /// One level: some blocks are expanded, then messages are exchanged, until no peer has blocks left.
  void expand_with_peers(TierAnalysis& analysis, const Parts& parts, int level) {
    Peers& peers = *settings_.peers;
    constexpr std::uint64_t blocks_per_round = 512;
    std::vector<std::vector<Message>> boxes(static_cast<std::size_t>(peers.count()));
    std::mutex mutex;
    const auto outside = [&](Message message, int) {
      const std::uint64_t to = parts.part_of(message.index());
      const Message moved = message.moved_down(parts.run(to).first);
      const std::lock_guard lock(mutex);
      boxes[to].push_back(moved);
    };
    std::uint64_t next = 0;
    do {
      const std::uint64_t end = std::min(analysis.part().blocks(), next + blocks_per_round);
      if (next < end) analysis.expand(level, next, end, outside, reporter_);
      next = end;
      for (const Message message : peers.exchange(boxes)) analysis.part().apply<false>(message, level);
    } while (peers.greatest(next < analysis.part().blocks() ? 1 : 0) != 0);
  }

  /// Peer 0 writes the section; the others hand their codes over, piece by piece.
  [[nodiscard]] Result<void> write_with_peers(const WorkFolder& folder, std::uint32_t tier, const Parts& parts,
                                              TierAnalysis& analysis) {
    Peers& peers = *settings_.peers;
    CodeSet codes;
    codes.add(analysis.part().codes());
    peers.combine(codes.bytes());
    Result<SectionWriter> writer = fail("not the writer");
    Result<void> mine;
    if (leads()) {
      writer = SectionWriter::create(folder.path(tier, "section"), space_.tier_name(tier), space_.size(tier),
                                     codes.sorted(), {.threads = static_cast<unsigned>(settings_.threads)});
      mine = writer ? writer->append(analysis.part().codes()) : tl::unexpected(writer.error());
    }
    std::vector<std::uint16_t> piece;
    for (std::uint64_t from = 1; from < parts.count(); ++from) {
      const IndexRun run = parts.run(from);
      for (std::uint64_t first = run.first; first < run.end; first += max_piece) {
        piece.resize(std::min(max_piece, run.end - first));
        if (peers.rank() == static_cast<int>(from)) {
          const auto mine_from = analysis.part().codes().subspan(first - run.first, piece.size());
          std::copy(mine_from.begin(), mine_from.end(), piece.begin());
        }
        peers.hand_over(static_cast<int>(from), piece);
        if (leads() && mine) mine = writer->append(piece);
      }
    }
    if (leads() && mine) mine = writer->finish();
    return mine;
  }

  // The whole tier in memory.

  [[nodiscard]] Result<void> in_memory(const WorkFolder& folder, std::uint32_t tier) {
    const auto analysis = space_.analyse(tier, {0, space_.size(tier)}, settings_.threads);
    const std::string state = folder.path(tier, "state");
    auto level = begin(*analysis, state);
    if (!level) return tl::unexpected(level.error());
    analysis->prepare(settings_.stop);
    Clock::time_point saved = Clock::now();
    for (int l = *level; l <= analysis->part().highest(); ++l) {
      if (settings_.stop.stop_requested()) return stopped_at(analysis->part(), state, l);
      if (Clock::now() - saved > settings_.save_every) {
        if (auto done = analysis->part().save(state, l); !done) return done;
        saved = Clock::now();
      }
      now_.level = l;
      // A level is short, and a part is of no use in the middle of one: it is not stopped.
      analysis->expand(l, [](Message, int) { PAIKA_CHECK(false); }, reporter_);
    }
    analysis->settle();
    return write_section(folder.path(tier, "section"), tier,
                         [&](const auto& use) { return use(analysis->part().codes()); });
  }

  [[nodiscard]] Result<void> stopped_at(const Part& part, const std::string& state, int level) const {
    if (auto done = part.save(state, level); !done) return done;
    return stopped();
  }

  /// Takes the state from its file, if there is a good one, or makes the first look; gives the next level.
  [[nodiscard]] Result<int> begin(TierAnalysis& analysis, const std::string& state) {
    if (WorkFolder::exists(state)) {
      if (const auto level = analysis.part().load(state)) return *level;
    }
    if (auto looked = first_look(analysis); !looked) return tl::unexpected(looked.error());
    return 0;
  }

  [[nodiscard]] Result<void> first_look(TierAnalysis& analysis) {
    analysis.look(finished_, reporter_, settings_.stop);
    if (const auto failure = finished_.failure()) return tl::unexpected(*failure);
    if (settings_.stop.stop_requested()) return stopped();
    return {};
  }

  // One part in memory at a time. Part k at level l applies what the parts before it sent at level l and
  // the parts after it at level l - 1; then it expands its own places and is saved as being at l + 1.

  [[nodiscard]] Result<void> in_parts(const WorkFolder& folder, const TierPlan& plan) {
    const Parts parts(plan.positions, plan.parts, Part::block);
    std::vector<int> levels;  // the next level of each part
    int highest = -1;         // at which any place is known
    for (std::uint64_t k = 0; k < parts.count(); ++k) {
      auto known = first_look_at(folder, plan.tier, parts, k);
      if (!known) return tl::unexpected(known.error());
      levels.push_back(known->level);
      highest = std::max(highest, known->highest);
    }
    for (int level = *std::min_element(levels.begin(), levels.end()); level <= highest; ++level) {
      now_.level = level;
      for (std::uint64_t k = 0; k < parts.count(); ++k) {
        if (levels[k] > level) continue;
        auto known = part_level(folder, plan.tier, parts, k, level);
        if (!known) return tl::unexpected(known.error());
        levels[k] = known->level;
        highest = std::max(highest, known->highest);
      }
    }
    return write_parts(folder, plan.tier, parts);
  }

  struct PartState {
    int level;
    int highest;
  };

  [[nodiscard]] Result<PartState> first_look_at(const WorkFolder& folder, std::uint32_t tier, const Parts& parts,
                                                std::uint64_t k) {
    const auto analysis = space_.analyse(tier, parts.run(k), settings_.threads);
    const std::string state = folder.path(tier, "state", k);
    const bool was_there = WorkFolder::exists(state);
    auto level = begin(*analysis, state);
    if (!level) return tl::unexpected(level.error());
    if (!was_there) {
      if (auto done = analysis->part().save(state, *level); !done) return tl::unexpected(done.error());
    }
    return PartState{*level, analysis->part().highest()};
  }

  [[nodiscard]] Result<PartState> part_level(const WorkFolder& folder, std::uint32_t tier, const Parts& parts,
                                             std::uint64_t k, int level) {
    if (settings_.stop.stop_requested()) return stopped();
    const auto analysis = space_.analyse(tier, parts.run(k), settings_.threads);
    const std::string state = folder.path(tier, "state", k);
    if (auto known = analysis->part().load(state); !known) return tl::unexpected(known.error());
    for (std::uint64_t from = 0; from < parts.count(); ++from) {
      if (from == k) continue;
      const int sent_at = from < k ? level : level - 1;
      if (sent_at < 0) continue;
      const std::string file = folder.message_path(tier, from, k, sent_at);
      auto heard = read_messages(file, parts.run(k).size(),
                                 [&](Message message) { analysis->part().apply<false>(message, sent_at); });
      if (!heard) return tl::unexpected(heard.error());
    }
    analysis->prepare({});
    MessageBoxes boxes(parts, [&](std::uint64_t to) { return folder.message_path(tier, k, to, level); });
    analysis->expand(level, [&](Message message, int) { boxes.put(message); }, reporter_);
    if (auto done = boxes.finish(); !done) return tl::unexpected(done.error());
    if (auto done = analysis->part().save(state, level + 1); !done) return tl::unexpected(done.error());
    for (std::uint64_t from = 0; from < parts.count(); ++from) {
      if (from != k) WorkFolder::remove_file(folder.message_path(tier, from, k, from < k ? level : level - 1));
    }
    return PartState{level + 1, std::max(analysis->part().highest(), boxes.any() ? level + 1 : -1)};
  }

  [[nodiscard]] Result<void> write_parts(const WorkFolder& folder, std::uint32_t tier, const Parts& parts) {
    return write_section(folder.path(tier, "section"), tier, [&](const auto& use) -> Result<void> {
      for (std::uint64_t k = 0; k < parts.count(); ++k) {
        const auto analysis = space_.analyse(tier, parts.run(k), settings_.threads);
        if (auto known = analysis->part().load(folder.path(tier, "state", k)); !known) {
          return tl::unexpected(known.error());
        }
        analysis->settle();
        if (auto done = use(analysis->part().codes()); !done) return done;
      }
      return {};
    });
  }

  /// `each(use)` hands the settled codes of the tier to `use` in order, in any number of pieces; called twice.
  template <class Each>
  [[nodiscard]] Result<void> write_section(const std::string& path, std::uint32_t tier, Each&& each) {
    CodeSet codes;
    auto read = each([&](std::span<const std::uint16_t> piece) -> Result<void> {
      codes.add(piece);
      return {};
    });
    if (!read) return read;
    auto writer = SectionWriter::create(path, space_.tier_name(tier), space_.size(tier), codes.sorted(),
                                        {.threads = static_cast<unsigned>(settings_.threads)});
    if (!writer) return tl::unexpected(writer.error());
    auto written = each([&](std::span<const std::uint16_t> piece) { return writer->append(piece); });
    if (!written) return written;
    return writer->finish();
  }

  /// How many places there are in all tiers before this one.
  [[nodiscard]] std::uint64_t places_up_to(std::uint32_t tier) const {
    std::uint64_t sum = 0;
    for (std::uint32_t t = 0; t < tier; ++t) sum += space_.size(t);
    return sum;
  }

  /// What hears how far the work is: every place is looked at and expanded.
  [[nodiscard]] ProgressReporter::OnProgress progress_of(const SolveSettings& settings) {
    if (!settings.on_progress) return {};
    return [this](double done) {
      SolveProgress progress = now_;
      progress.done = done;
      settings_.on_progress(progress);
    };
  }

  const SolveSpace& space_;
  SolveSettings settings_;
  FinishedTiers finished_;
  SolveProgress now_;
  ProgressReporter reporter_;
};

}  // namespace

TierPlan plan_tier(const SolveSpace& space, std::uint32_t tier, std::uint64_t memory) {
  TierPlan plan{tier, space.tier_name(tier), space.size(tier), space.unfolded(tier), 0, 1};
  plan.bytes = plan.positions * space.bytes_per_place(tier);
  const std::uint64_t room = memory > 2 * set_aside ? memory - set_aside : set_aside;
  // Half of the memory may go to the values of lower tiers, if they do not fit beside the whole.
  if (plan.bytes > room) plan.parts = (plan.bytes + room / 2 - 1) / (room / 2);
  return plan;
}

Result<void> solve_space(const SolveSpace& space, SolveSettings settings) {
  return SolveJob(space, std::move(settings)).run();
}

}  // namespace paika
