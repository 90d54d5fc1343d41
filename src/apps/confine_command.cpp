// `paika confine`: runs a program as bots are run.
#include <fmt/format.h>

#include "apps/commands.hpp"
#include "apps/input.hpp"
#include "apps/stderr.hpp"
#include "apps/tables_input.hpp"
#include "base/text.hpp"
#include "sandbox/confine.hpp"

namespace paika::apps {

namespace {

Result<sandbox::Sandbox> read_sandbox(const std::string& text) {
  if (text.empty()) return sandbox::find_sandbox();
  std::vector<std::string> names;
  for (const auto sandbox : {sandbox::Sandbox::bubblewrap, sandbox::Sandbox::own, sandbox::Sandbox::none}) {
    if (text == name(sandbox)) return sandbox;
    names.emplace_back(name(sandbox));
  }
  return fail("there is no sandbox {}{}; the sandboxes are {}", in_quotes(text), did_you_mean(text, names),
              listed(names, "and"));
}

Result<sandbox::Accounting> read_accounting(const std::string& text) {
  using sandbox::Accounting;
  std::vector<std::string> names;
  for (const auto accounting : {Accounting::any, Accounting::kernel, Accounting::sampled}) {
    if (text == name(accounting)) return accounting;
    names.emplace_back(name(accounting));
  }
  return fail("there is no accounting {}{}; it is {}", in_quotes(text), did_you_mean(text, names), listed(names, "or"));
}

Result<sandbox::ConfineOrder> read_order(const ConfineArgs& args) {
  sandbox::ConfineOrder order;
  const auto sandbox = read_sandbox(args.sandbox);
  if (!sandbox) return tl::unexpected(sandbox.error());
  order.confinement.sandbox = *sandbox;
  const auto accounting = read_accounting(args.accounting);
  if (!accounting) return tl::unexpected(accounting.error());
  order.confinement.accounting = *accounting;
  sandbox::BotLimits& limits = order.confinement.limits;
  for (const auto& [text, size] :
       {std::pair{&args.memory, &limits.memory}, std::pair{&args.written, &limits.written}}) {
    if (text->empty()) continue;
    const auto read = read_memory(*text, std::uint64_t{1} << 20U);
    if (!read) return tl::unexpected(read.error());
    *size = *read;
  }
  if (args.processes > 0) limits.processes = args.processes;
  if (args.open_files > 0) limits.open_files = args.open_files;
  limits.cpu_seconds = args.cpu_seconds;
  order.confinement.readable = args.readable;
  order.folder = args.folder;
  order.scratch = args.scratch;
  order.words = args.command;
  if (order.words.empty()) return fail("no command to run: write paika confine -- COMMAND");
  return order;
}

}  // namespace

int run_confine(const ConfineArgs& args) {
  if (args.inside >= 0) sandbox::be_process_one(args.inside);
  auto order = read_order(args);
  if (!order) return complain(order.error().message);
  const auto ending = sandbox::confine(std::move(*order));
  if (!ending) return complain(ending.error().message);
  using Kind = play::Ending::Kind;
  if (ending->kind == Kind::exited) return ending->number;
  to_stderr(fmt::format("paika: {}\n", words_for(*ending)));
  return ending->kind == Kind::signalled ? 128 + ending->number : exit_no;
}

}  // namespace paika::apps
