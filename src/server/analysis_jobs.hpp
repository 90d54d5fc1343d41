// Analyses and reviews as jobs: a server leaves them to workers, and sends on the lines that those write.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "database/job_worker.hpp"
#include "server/api/positions.hpp"
#include "server/http/route.hpp"

namespace paika::server {

inline constexpr std::string_view analysis_kind = "analysis";
/// Nobody waits for an analysis that is so old.
inline constexpr std::chrono::minutes max_analysis_age{10};

/// What has the request of a stream done by a worker of this version: for a thread that waits for it. If the worker
/// dies another one begins anew, and the lines that were sent are not sent again.
[[nodiscard]] StreamHandler::Work remote_analysis(std::string queue, std::string version, const Call& call);

/// Answers what servers have read and taken already.
[[nodiscard]] JobKind analysis_worker(const PositionApi& api);

}  // namespace paika::server
