#include "server/classes/push_review.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "server/classes/bot_files.hpp"
#include "server/classes/hand_in.hpp"
#include "server/classes/push_hook.hpp"
#include "server/store/thread_reader.hpp"

namespace paika::server {

namespace {

constexpr std::chrono::milliseconds look_at_bot_again(400);
constexpr std::chrono::minutes max_wait(30);

std::string message_of(const Response& response) {
  const Json body = Json::parse(response.body, nullptr, false);
  return body.is_object() && body.contains("error") ? body["error"].value("message", "") : "the bot is not taken";
}

}  // namespace

/// What the writer makes of the bot; the push may end before that.
struct PushReview::Submission {
  std::mutex mutex;
  bool done = false;
  Entered<BotRow> bot;
  std::shared_ptr<BotTranscript> transcript;
  std::optional<std::string> failure;
  bool abandoned = false;
};

void PushReview::begin(std::string message) {
  if (!use_.begin_push()) return decide(false, "another push to this repository is under way: wait for its end");
  const auto sandbox = deps_.ladder.takes_bots();
  if (!sandbox) return decide(false, "this server cannot take bots: " + sandbox.error().message);
  auto bot = read(message);
  if (!bot) return decide(false, bot.error().message);
  submit(std::move(*bot));
}

Result<BotRequest> PushReview::read(const std::string& message) {
  const auto files = read_bot_files(Json::parse(message, nullptr, false));
  if (!files) return tl::unexpected(files.error());
  Store* const store = thread_reader(deps_.database);
  if (store == nullptr) return fail("the server cannot read its storage now");
  const auto member = ClassStore(*store).member(in_.row.id, in_.viewer);
  return read_pushed_bot(*files, member ? member->name : "");
}

void PushReview::submit(BotRequest bot) {
  submission_ = std::make_shared<Submission>();
  deps_.writer.submit(
      [to = submission_, bot = std::move(bot), in = in_, &ladder = deps_.ladder, wake = wake_](Store& store) {
        const std::scoped_lock lock(to->mutex);
        if (to->abandoned) return;
        ClassStore classes(store);
        auto row = classes.find(in.row.id);
        if (!row) {
          to->failure = "the class has been deleted";
          return;
        }
        to->bot = add_handed_in(classes, {std::move(*row), in.viewer, in.teacher}, bot, wall_now());
        if (!to->bot) return;
        classes.mark_pushed(to->bot->id);
        // Before the ladder sees the bot, so that nothing is missed.
        to->transcript = ladder.follow(to->bot->id, [wake] { wake->call(); });
      },
      [to = submission_, &ladder = deps_.ladder, wake = wake_](const std::optional<std::string>& failure) {
        {
          const std::scoped_lock lock(to->mutex);
          to->done = true;
          if (failure) to->failure = "the server could not save the bot; try again later";
        }
        ladder.poke();
        wake->call();
      });
}

std::string PushReview::next() {
  if (!decided_) look();
  return std::exchange(lines_, {});
}

void PushReview::look() {
  if (!bot_ && submission_) {
    const std::scoped_lock lock(submission_->mutex);
    if (!submission_->done) return;
    if (submission_->failure) return decide(false, *submission_->failure);
    if (!submission_->bot) return decide(false, message_of(submission_->bot.error()));
    bot_ = *submission_->bot;
    transcript_ = submission_->transcript;
    say(fmt::format("{}: number {}", bot_->name, bot_->number));
  }
  if (!bot_) return;
  if (const std::string text = transcript_->take(); !text.empty()) say(text);
  if (const auto now = Clock::now(); now - looked_ > look_at_bot_again) {
    looked_ = now;
    look_at_bot();
  }
}

void PushReview::look_at_bot() {
  Store* const store = thread_reader(deps_.database);
  if (store == nullptr) return;
  ClassStore classes(*store);
  const auto row = classes.bot(bot_->id);
  const auto in = classes.find(in_.row.id);
  if (!row || !in) return decide(false, "the bot has been deleted");
  const bool is_over =
      row->state != BotState::waiting && row->state != BotState::building && row->state != BotState::checking;
  if (is_over) {
    if (const std::string text = transcript_->take(); !text.empty()) say(text);
    if (row->state != BotState::refused) return decide(true, "accepted: it is on the ladder");
    return decide(false, "the bot did not pass; its page in the class has the whole report");
  }
  if (row->state != BotState::waiting) return;
  if (in->state == ClassState::archived || Clock::now() - began_ > max_wait) {
    return decide(false, "the bot has waited too long: push again later");
  }
  const auto waiting = classes.waiting();
  const auto ahead = static_cast<std::size_t>(
      std::count_if(waiting.begin(), waiting.end(), [&](const WaitingBot& bot) { return bot.id < bot_->id; }));
  if (ahead != std::exchange(ahead_, ahead) && ahead > 0) say(fmt::format("waiting: {} ahead of it", ahead));
}

void PushReview::say(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  const std::string plain = plain_text(text);
  for (const std::string_view line : split(plain, '\n')) lines_ += fmt::format(" {}\n", line);
}

void PushReview::decide(bool accepted, std::string_view text) {
  decided_ = true;
  accepted_ = accepted;
  say(accepted ? std::string(text) : fmt::format("refused: {}", text));
  lines_ += fmt::format("{}\n", accepted ? accepted_line : refused_line);
  if (bot_ && !accepted) deps_.ladder.withdraw(bot_->id);
}

void PushReview::ended() {
  if (decided_ || !submission_) return;
  // Git has ended without an answer, so the push has failed: the bot must not be taken either.
  const std::scoped_lock lock(submission_->mutex);
  submission_->abandoned = true;
  if (submission_->bot && submission_->transcript) deps_.ladder.withdraw(submission_->bot->id);
}

}  // namespace paika::server
