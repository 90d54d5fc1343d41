#include "play/worker.hpp"

#include <exception>
#include <new>
#include <utility>

#include "base/check.hpp"

namespace paika::play {

Worker::Worker(std::unique_ptr<GamePlayer> game_player, Now now, std::function<void()> wake, std::uint64_t game_number)
    : game_player_(std::move(game_player)), now_(std::move(now)), wake_(std::move(wake)), game_number_(game_number) {
  thread_ = std::jthread([this](const std::stop_token& over) { work(over); });
}

Worker::~Worker() {
  cancel();
  game_player_->dismiss();
  thread_.request_stop();
}

void Worker::ask(Question question) {
  cancel();
  auto job = std::make_shared<Job>();
  job->question = std::move(question);
  {
    const std::scoped_lock lock(mutex_);
    next_ = job;
    rest_wanted_ = false;
    death_.reset();
  }
  job_ = std::move(job);
  changed_.notify_one();
}

void Worker::cancel() {
  if (!job_) return;
  job_->stop.request_stop();
  job_.reset();
  const std::scoped_lock lock(mutex_);
  next_.reset();
}

void Worker::rest() {
  {
    const std::scoped_lock lock(mutex_);
    rest_wanted_ = true;
  }
  changed_.notify_one();
}

std::optional<Answer> Worker::collect() {
  if (!job_) return std::nullopt;
  std::optional<Answer> answer;
  {
    const std::scoped_lock lock(mutex_);
    answer.swap(job_->answer);
  }
  if (answer) job_.reset();
  return answer;
}

std::optional<Failed> Worker::collect_death() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(death_, std::nullopt);
}

std::optional<TimePoint> Worker::began() const {
  const std::scoped_lock lock(mutex_);
  return job_ ? job_->began : std::nullopt;
}

Microseconds Worker::time_used() const {
  const std::scoped_lock lock(mutex_);
  if (!job_ || !job_->began) return Microseconds(0);
  if (job_->answer) return job_->answer->time;
  return std::chrono::duration_cast<Microseconds>(now_() - *job_->began);
}

void Worker::work(const std::stop_token& over) {
  while (const auto job = next_job(over)) do_job(*job);
}

std::shared_ptr<Worker::Job> Worker::next_job(const std::stop_token& over) {
  constexpr std::chrono::milliseconds look_around(200);
  std::unique_lock lock(mutex_);
  const auto wanted = [&] { return next_ != nullptr || rest_wanted_; };
  for (;;) {
    while (started_ && game_player_->mortal() && !over.stop_requested()) {
      if (changed_.wait_for(lock, over, look_around, wanted)) break;
      lock.unlock();
      look_after_player();
      lock.lock();
    }
    changed_.wait(lock, over, wanted);
    if (over.stop_requested()) return nullptr;
    if (next_) return std::exchange(next_, nullptr);
    rest_wanted_ = false;
    lock.unlock();
    game_player_->rest();
    lock.lock();
  }
}

void Worker::look_after_player() {
  auto ended = game_player_->ended();
  if (!ended) return;
  started_ = false;
  {
    const std::scoped_lock lock(mutex_);
    death_ = std::move(ended);
  }
  if (wake_) wake_();
}

void Worker::do_job(Job& job) {
  tl::expected<Choice, Failed> choice;
  try {
    choice = choose(job);
  } catch (const std::exception& error) {
    choice = tl::unexpected(Failed{Failure::crash, error.what()});
  }
  const TimePoint ended = now_();
  // A program that was interrupted or has failed is gone; it is started anew if it is asked again.
  started_ = choice.has_value();
  {
    const std::scoped_lock lock(mutex_);
    const auto time = job.began ? std::chrono::duration_cast<Microseconds>(ended - *job.began) : Microseconds(0);
    job.answer = Answer{std::move(choice), time};
  }
  if (wake_ && !job.stop.stop_requested()) wake_();
  game_player_->tidy();
}

tl::expected<Choice, Failed> Worker::choose(Job& job) {
  if (!started_) {
    if (auto ready = game_player_->start(game_number_); !ready) return tl::unexpected(std::move(ready.error()));
  }
  {
    const std::scoped_lock lock(mutex_);
    job.began = now_();
  }
  if (wake_) wake_();  // its time is running now
  return game_player_->choose({*job.question.session, job.question.start, job.question.texts}, job.question.allowance,
                              job.stop.get_token());
}

}  // namespace paika::play
