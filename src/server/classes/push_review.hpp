// PushReview: decides about a push: the files become a bot that is handed in, and the push waits for its verdict.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/classes/class_access.hpp"
#include "server/classes/class_requests.hpp"
#include "server/classes/ladder.hpp"
#include "server/git/git_exchange.hpp"
#include "server/git/repositories.hpp"
#include "server/store/writer.hpp"

namespace paika::server {

struct PushReviewDeps {
  Writer& writer;
  Ladder& ladder;
  std::string database;  // read on the thread of the exchange
};

class PushReview final : public PushJudge {
 public:
  /// The push is of the viewer of the class; `use` is that of the repository and outlives the review.
  PushReview(PushReviewDeps deps, SeenClass in, Repositories::Use& use, std::shared_ptr<ExchangeWake> wake)
      : deps_(std::move(deps)), in_(std::move(in)), use_(use), wake_(std::move(wake)) {}

  void begin(std::string message) override;
  [[nodiscard]] std::string next() override;
  void ended() override;
  [[nodiscard]] bool accepted() const noexcept { return accepted_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Submission;

  [[nodiscard]] Result<BotRequest> read(const std::string& message);
  void submit(BotRequest bot);
  /// Looks what became of the submission, and then of the bot.
  void look();
  void look_at_bot();
  void say(std::string_view text);
  void decide(bool accepted, std::string_view text);

  PushReviewDeps deps_;
  SeenClass in_;
  Repositories::Use& use_;
  std::shared_ptr<ExchangeWake> wake_;
  std::shared_ptr<Submission> submission_;
  std::optional<BotRow> bot_;  // that was handed in
  std::shared_ptr<BotTranscript> transcript_;
  Clock::time_point began_ = Clock::now();
  Clock::time_point looked_;
  std::size_t ahead_ = 0;
  std::string lines_;  // for the hook, not yet taken
  bool decided_ = false, accepted_ = false;
};

}  // namespace paika::server
