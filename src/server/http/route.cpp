#include "server/http/route.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/check.hpp"
#include "base/text.hpp"

namespace paika::server {

namespace {

bool is_parameter(std::string_view part) noexcept {
  return part.size() > 2 && part.front() == '{' && part.back() == '}';
}

/// The parts after the '/' at the beginning.
std::vector<std::string_view> parts_of(std::string_view path) { return split(path.substr(1), '/'); }

bool fits(const std::vector<std::string>& pattern, const std::vector<std::string_view>& path) {
  return std::equal(pattern.begin(), pattern.end(), path.begin(), path.end(),
                    [](const std::string& wanted, std::string_view given) {
                      return is_parameter(wanted) ? !given.empty() : wanted == given;
                    });
}

/// True if `a` names the first part in which they differ in kind, and `b` leaves it open. Both fit the same path.
bool is_closer(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (is_parameter(a[i]) != is_parameter(b[i])) return is_parameter(b[i]);
  }
  return false;
}

/// True if both take the same paths, whatever their parameters are called.
bool is_same(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const std::string& x, const std::string& y) {
    return is_parameter(x) ? is_parameter(y) : x == y;
  });
}

}  // namespace

std::function<std::optional<std::string>(Store&)> pieces_of(std::function<std::optional<std::string>(Store&)> part) {
  return [part = std::move(part)](Store& store) -> std::optional<std::string> {
    std::string piece;
    while (piece.size() < piece_bytes) {
      const auto more = part(store);
      if (!more) break;
      piece += *more;
    }
    if (piece.empty()) return std::nullopt;
    return piece;
  };
}

void Router::add(std::vector<Route> routes) {
  for (Route& route : routes) {
    PAIKA_CHECK(route.pattern.starts_with('/'));
    const auto views = parts_of(route.pattern);
    std::vector<std::string> parts(views.begin(), views.end());
    auto shape = std::find_if(shapes_.begin(), shapes_.end(), [&](const Shape& s) { return is_same(s.parts, parts); });
    if (shape == shapes_.end()) shape = shapes_.insert(shapes_.end(), Shape{std::move(parts), {}});
    for (const std::size_t other : shape->routes) PAIKA_CHECK(routes_[other].method != route.method);
    shape->routes.push_back(routes_.size());
    routes_.push_back(std::move(route));
  }
}

std::optional<Router::Found> Router::find(std::string_view method, std::string_view path) const {
  if (!path.starts_with('/')) return std::nullopt;
  const auto parts = parts_of(path);
  const Shape* best = nullptr;
  for (const Shape& shape : shapes_) {
    if (fits(shape.parts, parts) && (best == nullptr || is_closer(shape.parts, best->parts))) best = &shape;
  }
  if (best == nullptr) return std::nullopt;
  Found found;
  for (const std::size_t index : best->routes) {
    const Route& route = routes_[index];
    found.allowed.push_back(route.method);
    if (route.method == "GET") found.allowed.emplace_back("HEAD");
    const bool as_get = method == "HEAD" && route.method == "GET" && found.route == nullptr;
    if (route.method == method || as_get) found.route = &route;
  }
  std::sort(found.allowed.begin(), found.allowed.end());
  found.allowed.erase(std::unique(found.allowed.begin(), found.allowed.end()), found.allowed.end());
  if (found.route == nullptr) return found;
  const auto names = parts_of(found.route->pattern);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (is_parameter(names[i])) {
      found.params.emplace(names[i].substr(1, names[i].size() - 2), parts[i]);
    }
  }
  return found;
}

}  // namespace paika::server
