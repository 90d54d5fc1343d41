// Is a text well-formed XML? As far as our own pictures go: elements, attributes, texts and entities.
#pragma once

#include <cctype>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace paika_tests {

/// Reads XML and keeps what tests ask about.
class Xml {
 public:
  explicit Xml(std::string_view text) : text_(text) { read(); }

  /// "" if the text is well-formed, else what is wrong and where.
  [[nodiscard]] const std::string& fault() const { return fault_; }
  /// The names of all elements and attributes.
  [[nodiscard]] const std::multiset<std::string>& elements() const { return elements_; }
  [[nodiscard]] const std::multiset<std::string>& attributes() const { return attributes_; }
  /// The values of all id attributes, and those that href="#…", url(#…) and aria-labelledby name.
  [[nodiscard]] const std::multiset<std::string>& ids() const { return ids_; }
  [[nodiscard]] const std::set<std::string>& used_ids() const { return used_; }

 private:
  void fail(const std::string& what) {
    if (fault_.empty()) fault_ = what + " at byte " + std::to_string(at_);
  }
  [[nodiscard]] bool done() const { return at_ >= text_.size() || !fault_.empty(); }
  bool take(std::string_view what) {
    if (text_.substr(at_, what.size()) != what) return false;
    at_ += what.size();
    return true;
  }
  void skip_blanks() {
    while (!done() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  std::string take_name() {
    std::string name;
    while (!done() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '-')) {
      name += text_[at_++];
    }
    if (name.empty()) fail("a name is missing");
    return name;
  }
  void take_entity() {
    for (const char* known : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"}) {
      if (take(known)) return;
    }
    fail("an entity that is none");
  }

  void read() {
    while (!done()) {
      if (take("</")) {
        const std::string name = take_name();
        if (open_.empty() || open_.back() != name) return fail("</" + name + "> closes nothing");
        open_.pop_back();
        if (!take(">")) fail("> is missing");
      } else if (take("<")) {
        read_element();
      } else if (text_[at_] == '&') {
        take_entity();
      } else {
        const auto c = static_cast<unsigned char>(text_[at_]);
        if (c < 0x20 && c != '\n') return fail("a control character");
        if (open_.empty() && c != '\n') return fail("text outside of the root");
        ++at_;
      }
    }
    if (!open_.empty()) fail("<" + open_.back() + "> is not closed");
  }

  void read_element() {
    const std::string name = take_name();
    if (open_.empty() && !elements_.empty()) return fail("a second root");
    elements_.insert(name);
    std::set<std::string> seen;
    for (skip_blanks(); !done(); skip_blanks()) {
      if (take("/>")) return;
      if (take(">")) {
        open_.push_back(name);
        return;
      }
      const std::string attribute = take_name();
      if (!seen.insert(attribute).second) return fail(attribute + " stands there twice");
      attributes_.insert(attribute);
      if (!take("=\"")) return fail("=\" is missing");
      read_value(attribute);
    }
  }

  void read_value(const std::string& attribute) {
    const std::size_t begin = at_;
    while (!done() && text_[at_] != '"') {
      if (text_[at_] == '<') return fail("< in a value");
      if (text_[at_] == '&') {
        take_entity();
      } else {
        ++at_;
      }
    }
    const std::string value(text_.substr(begin, at_ - begin));
    if (!take("\"")) return fail("a value has no end");
    if (attribute == "id") ids_.insert(value);
    if (attribute == "href" && value.starts_with('#')) used_.insert(value.substr(1));
    if (value.starts_with("url(#")) used_.insert(value.substr(5, value.size() - 6));
    if (attribute == "aria-labelledby") {
      used_.insert(value.substr(0, value.find(' ')));
      used_.insert(value.substr(value.find(' ') + 1));
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string fault_;
  std::vector<std::string> open_;
  std::multiset<std::string> elements_, attributes_, ids_;
  std::set<std::string> used_;
};

}  // namespace paika_tests
