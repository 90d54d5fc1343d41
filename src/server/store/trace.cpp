#include "server/store/trace.hpp"

namespace paika::server {

namespace {

std::shared_ptr<Trace>& of_this_thread() {
  thread_local std::shared_ptr<Trace> trace;
  return trace;
}

}  // namespace

std::shared_ptr<Trace> Trace::current() { return of_this_thread(); }

std::string Trace::current_id() {
  const auto& trace = of_this_thread();
  return trace ? trace->id() : "";
}

TraceScope::TraceScope(std::shared_ptr<Trace> trace) : before_(std::exchange(of_this_thread(), std::move(trace))) {}
TraceScope::~TraceScope() { of_this_thread() = std::move(before_); }

}  // namespace paika::server
