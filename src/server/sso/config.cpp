#include "server/sso/config.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <sys/stat.h>

#include "base/names.hpp"
#include "base/text.hpp"
#include "play/autosave.hpp"
#include "play/toml.hpp"
#include "server/sso/http_client.hpp"

namespace paika::server {

namespace {

constexpr std::size_t max_id = 32;

std::string place_in(const std::string& path, const toml::source_region& region) {
  return fmt::format("{}, line {}", path, region.begin.line);
}

/// One table of the file: its fields are taken one by one; one that nobody took is a mistake.
class Section {
 public:
  Section(const toml::table& table, const std::string& path, std::string name)
      : table_(table), path_(path), name_(std::move(name)) {}

  [[nodiscard]] Result<std::string> text(const char* key, bool required) {
    known_.emplace_back(key);
    const toml::node* node = table_.get(key);
    if (node == nullptr) {
      if (required) return fail("{}: {} lacks {} = \"…\"", place_in(path_, table_.source()), name_, key);
      return "";
    }
    const auto* value = node->as_string();
    if (value == nullptr || value->get().empty()) {
      return fail("{}: {} must be a text in quotes", place_in(path_, node->source()), key);
    }
    return value->get();
  }

  /// An address that passes check_outside_url().
  [[nodiscard]] Result<std::string> url(const char* key, bool required) {
    auto value = text(key, required);
    if (!value || value->empty()) return value;
    if (const auto fine = check_outside_url(*value); !fine) {
      return fail("{}: {}: {}", place_in(path_, table_.get(key)->source()), key, fine.error().message);
    }
    return value;
  }

  [[nodiscard]] Result<std::vector<std::string>> texts(const char* key) {
    known_.emplace_back(key);
    std::vector<std::string> values;
    const toml::node* node = table_.get(key);
    if (node == nullptr) return values;
    const auto* list = node->as_array();
    if (list == nullptr) return fail("{}: {} must be a list of texts", place_in(path_, node->source()), key);
    for (const toml::node& item : *list) {
      const auto* value = item.as_string();
      if (value == nullptr) return fail("{}: {} must be a list of texts", place_in(path_, node->source()), key);
      values.push_back(value->get());
    }
    return values;
  }

  /// Also a table that the caller reads itself.
  void expect(const char* key) { known_.emplace_back(key); }

  [[nodiscard]] Result<void> check_all_known() const {
    for (const auto& [key, node] : table_) {
      const std::string word(key.str());
      if (std::find(known_.begin(), known_.end(), word) != known_.end()) continue;
      return fail("{}: {} has no {}{}", place_in(path_, node.source()), name_, in_quotes(word),
                  did_you_mean(word, known_));
    }
    return {};
  }

  [[nodiscard]] std::string place() const { return place_in(path_, table_.source()); }

 private:
  const toml::table& table_;
  const std::string& path_;
  std::string name_;
  std::vector<std::string> known_;
};

/// Reads fields in a row; the first fault stays.
class Fields {
 public:
  explicit Fields(Section& section) : section_(section) {}
  void text(const char* key, bool required, std::string& into) { take(section_.text(key, required), into); }
  void url(const char* key, bool required, std::string& into) { take(section_.url(key, required), into); }
  void texts(const char* key, std::vector<std::string>& into) { take(section_.texts(key), into); }
  [[nodiscard]] Result<void> end() {
    if (fault_) return tl::unexpected(*fault_);
    return section_.check_all_known();
  }

 private:
  template <class T>
  void take(Result<T> value, T& into) {
    if (!value) {
      if (!fault_) fault_ = value.error();
      return;
    }
    if (!value->empty()) into = std::move(*value);
  }

  Section& section_;
  std::optional<Error> fault_;
};

/// A secret lies in a file of its own, which nobody but its owner may read.
Result<std::string> read_secret(const std::string& file, const std::string& folder) {
  const std::filesystem::path named(file);
  const std::string path = named.is_absolute() ? file : (std::filesystem::path(folder) / named).string();
  struct stat about = {};
  if (::stat(path.c_str(), &about) != 0) return fail("there is no file {}", in_quotes(path, 200));
  if ((about.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return fail("others may read the secret in {}: do `chmod 600`", in_quotes(path, 200));
  }
  const auto text = play::read_whole_file(path);
  if (!text) return tl::unexpected(text.error());
  std::string secret(trimmed(*text));
  if (secret.empty()) return fail("the file {} has no secret in it", in_quotes(path, 200));
  return secret;
}

Result<void> check_id(const std::string& id) {
  const bool plain = id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
  if (!plain || id.empty() || id.size() > max_id) {
    return fail("id must be 1 to {} small letters, digits and '-', not {}", max_id, in_quotes(id));
  }
  return {};
}

/// Of a provider and of a platform.
Result<void> check_names(const std::string& id, const std::string& name) {
  if (auto fine = check_id(id); !fine) return fine;
  if (const auto fine = check_title(name); !fine) return fail("name: {}", fine.error().message);
  return {};
}

Result<OidcProvider> read_provider(const toml::table& table, const std::string& path) {
  Section section(table, path, "[[provider]]");
  Fields fields(section);
  OidcProvider provider;
  std::string secret_file;
  fields.text("id", true, provider.id);
  fields.text("name", true, provider.name);
  fields.url("issuer", true, provider.issuer);
  fields.text("client_id", true, provider.client_id);
  fields.text("client_secret_file", false, secret_file);
  fields.text("scope", false, provider.scope);
  if (const auto fine = fields.end(); !fine) return tl::unexpected(fine.error());
  if (const auto fine = check_names(provider.id, provider.name); !fine) {
    return fail("{}: {}", section.place(), fine.error().message);
  }
  const auto scopes = split(provider.scope, ' ');
  if (std::find(scopes.begin(), scopes.end(), "openid") == scopes.end()) {
    return fail("{}: scope must contain openid", section.place());
  }
  if (secret_file.empty()) return provider;
  const auto secret = read_secret(secret_file, std::filesystem::path(path).parent_path().string());
  if (!secret) return fail("{}: client_secret_file: {}", section.place(), secret.error().message);
  provider.client_secret = *secret;
  return provider;
}

Result<LtiPlatform> read_platform(const toml::table& table, const std::string& path) {
  Section section(table, path, "[[platform]]");
  Fields fields(section);
  LtiPlatform platform;
  fields.text("id", true, platform.id);
  fields.text("name", true, platform.name);
  fields.url("issuer", true, platform.issuer);
  fields.text("client_id", true, platform.client_id);
  fields.texts("deployments", platform.deployments);
  fields.url("auth_url", true, platform.auth_url);
  fields.url("token_url", true, platform.token_url);
  fields.url("jwks_url", true, platform.jwks_url);
  fields.text("token_audience", false, platform.token_audience);
  fields.texts("services", platform.services);
  if (const auto fine = fields.end(); !fine) return tl::unexpected(fine.error());
  if (const auto fine = check_names(platform.id, platform.name); !fine) {
    return fail("{}: {}", section.place(), fine.error().message);
  }
  if (platform.deployments.empty()) {
    return fail("{}: [[platform]] lacks deployments = [\"…\"]: the deployment ids that may launch", section.place());
  }
  for (const std::string& service : platform.services) {
    if (const auto fine = check_outside_url(service); !fine) {
      return fail("{}: services: {}", section.place(), fine.error().message);
    }
  }
  if (platform.token_audience.empty()) platform.token_audience = platform.token_url;
  return platform;
}

/// Every [[name]] of the file.
template <class Item>
Result<std::vector<Item>> read_list(const toml::table& root, const std::string& path, const char* name,
                                    Result<Item> (*read)(const toml::table&, const std::string&)) {
  std::vector<Item> items;
  const toml::node* node = root.get(name);
  if (node == nullptr) return items;
  const auto* list = node->as_array();
  if (list == nullptr || !list->is_array_of_tables()) {
    return fail("{}: write [[{}]], one for each", place_in(path, node->source()), name);
  }
  for (const toml::node& one : *list) {
    auto item = read(*one.as_table(), path);
    if (!item) return tl::unexpected(item.error());
    const bool twice = std::any_of(items.begin(), items.end(), [&](const Item& other) { return other.id == item->id; });
    if (twice) return fail("{}: two have the id {}", place_in(path, one.source()), in_quotes(item->id));
    items.push_back(std::move(*item));
  }
  return items;
}

Result<SsoConfig> read_root(const toml::table& root, const std::string& path) {
  Section section(root, path, "the file");
  section.expect("provider");
  section.expect("platform");
  Fields fields(section);
  SsoConfig config;
  fields.url("base_url", true, config.base_url);
  fields.text("ca_file", false, config.ca_file);
  if (const auto fine = fields.end(); !fine) return tl::unexpected(fine.error());
  if (config.base_url.ends_with('/')) config.base_url.pop_back();
  if (lowered(config.base_url) != origin_of(config.base_url)) {
    return fail("{}: base_url is the address of this server alone, such as https://play.example.org, not {}", path,
                in_quotes(config.base_url, 120));
  }
  if (!config.ca_file.empty() && !std::filesystem::is_regular_file(config.ca_file)) {
    return fail("{}: ca_file: there is no file {}", path, in_quotes(config.ca_file, 200));
  }
  auto providers = read_list<OidcProvider>(root, path, "provider", read_provider);
  if (!providers) return tl::unexpected(providers.error());
  config.providers = std::move(*providers);
  auto platforms = read_list<LtiPlatform>(root, path, "platform", read_platform);
  if (!platforms) return tl::unexpected(platforms.error());
  config.platforms = std::move(*platforms);
  return config;
}

}  // namespace

bool LtiPlatform::may_receive(std::string_view url) const {
  if (!check_outside_url(url)) return false;
  const std::string origin = origin_of(url);
  for (const std::string& own : {issuer, auth_url, token_url, jwks_url}) {
    if (origin_of(own) == origin) return true;
  }
  return std::any_of(services.begin(), services.end(),
                     [&](const std::string& service) { return origin_of(service) == origin; });
}

const OidcProvider* SsoConfig::provider(std::string_view id) const {
  const auto found = std::find_if(providers.begin(), providers.end(), [&](const auto& p) { return p.id == id; });
  return found == providers.end() ? nullptr : &*found;
}

const LtiPlatform* SsoConfig::platform(std::string_view issuer, std::string_view client) const {
  const LtiPlatform* only = nullptr;
  for (const LtiPlatform& one : platforms) {
    if (one.issuer != issuer || (!client.empty() && one.client_id != client)) continue;
    if (only != nullptr) return nullptr;
    only = &one;
  }
  return only;
}

std::string SsoConfig::issuer_name(const std::string& issuer) const {
  for (const OidcProvider& provider : providers) {
    if (provider.issuer == issuer) return provider.name;
  }
  for (const LtiPlatform& platform : platforms) {
    if (platform.issuer == issuer) return platform.name;
  }
  return issuer;
}

Result<SsoConfig> read_sso_file(const std::string& path) {
  const auto text = play::read_whole_file(path);
  if (!text) return tl::unexpected(text.error());
  try {
    return read_root(toml::parse(*text, path), path);
  } catch (const toml::parse_error& error) {
    return fail("{}: this is not TOML: {}", place_in(path, error.source()), in_quotes(error.description(), 200));
  }
}

}  // namespace paika::server
