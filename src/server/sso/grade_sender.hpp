// GradeSender: delivers grades to learning platforms (Assignment and Grade Services), on a thread of its own.
//
// What waits is in the store (server/store/lti.hpp), so nothing is lost by a restart. A platform that does not answer,
// or is busy, is tried again later and later; what it refuses is shown to the teacher.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "base/result.hpp"
#include "engine/json.hpp"
#include "server/sso/config.hpp"
#include "server/sso/http_client.hpp"
#include "server/sso/tool_keys.hpp"
#include "server/store/lti.hpp"
#include "server/store/writer.hpp"

namespace paika::server {

/// How a try ended.
enum class Delivery : unsigned char {
  done,
  later,   // worth another try
  refused  // it would end the same way
};

/// The address to which the scores of a column go: "/scores" after the path, before a query.
[[nodiscard]] std::string scores_url(std::string_view line_item);
/// When a grade that could not be sent `tries` times is tried next; nothing: never.
[[nodiscard]] std::optional<WallTime> next_try(int tries, WallTime now);

class GradeSender {
 public:
  struct Deps {
    std::string database;
    Writer& writer;
    std::function<void(std::string_view, const Json& fields)> log_event;
  };

  /// All of them outlive it. Without keys it does nothing.
  GradeSender(const SsoConfig& config, ToolKeys* keys, SendOutside send, Deps deps);
  GradeSender(const GradeSender&) = delete;
  GradeSender& operator=(const GradeSender&) = delete;
  ~GradeSender() { close(); }

  /// There is something new. From any thread.
  void poke();
  void close();

 private:
  struct Outcome {
    Delivery delivery = Delivery::done;
    std::string error;
  };
  /// What others tell the thread; shared with commits that may end after it.
  struct Signals {
    std::mutex mutex;
    std::condition_variable_any changed;
    bool poked = true;  // by what the last run has left
    bool committed = false;
  };
  struct Access {
    std::string token;
    WallTime until = 0;
  };

  void run(const std::stop_token& stop);
  void deliver_due(Store& store, const std::stop_token& stop);
  /// Waits until what was submitted is committed, so that nothing is sent twice.
  void commit(Writer::Job job, const std::stop_token& stop);
  [[nodiscard]] Outcome deliver(Store& store, const GradeRow& grade, const std::stop_token& stop);
  /// The column of a grade; made if there is none yet.
  [[nodiscard]] tl::expected<std::string, Outcome> column(Store& store, const CourseRow& course, const GradeRow& grade,
                                                          const LtiPlatform& platform, const std::stop_token& stop);
  [[nodiscard]] tl::expected<std::string, Outcome> access_token(const LtiPlatform& platform, std::string_view scope,
                                                                const std::stop_token& stop);
  /// Posts JSON with an access token; the body of the answer.
  [[nodiscard]] tl::expected<std::string, Outcome> post(const LtiPlatform& platform, std::string_view scope,
                                                        const std::string& url, std::string_view type, const Json& body,
                                                        const std::stop_token& stop);

  const SsoConfig& config_;
  ToolKeys* keys_;
  SendOutside send_;
  Deps deps_;
  std::map<std::string, Access> access_;  // by platform and scope; of the thread alone
  std::shared_ptr<Signals> signals_ = std::make_shared<Signals>();
  std::jthread thread_;  // last: it uses all the others
};

}  // namespace paika::server
