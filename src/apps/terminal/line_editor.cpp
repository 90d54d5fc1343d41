#include "apps/terminal/line_editor.hpp"

#include "base/text.hpp"

namespace paika::terminal {

namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

}  // namespace

void LineEditor::step_left() {
  if (caret_ > 0) --caret_;
  while (caret_ > 0 && continues(text_[caret_])) --caret_;
}

void LineEditor::step_right() {
  if (caret_ < text_.size()) ++caret_;
  while (caret_ < text_.size() && continues(text_[caret_])) ++caret_;
}

void LineEditor::recall(std::size_t index) {
  recalled_ = index;
  text_ = index < before_.size() ? before_[index] : "";
  caret_ = text_.size();
}

bool LineEditor::take(const Key& key) {
  const std::size_t was = caret_;
  switch (key.kind) {
    case KeyKind::character:
      if (text_.size() + key.text.size() > max_bytes) return true;
      text_.insert(caret_, key.text);
      caret_ += key.text.size();
      return true;
    case KeyKind::backspace:
      step_left();
      text_.erase(caret_, was - caret_);
      return true;
    case KeyKind::remove:
      step_right();
      text_.erase(was, caret_ - was);
      caret_ = was;
      return true;
    case KeyKind::left: step_left(); return true;
    case KeyKind::right: step_right(); return true;
    case KeyKind::home: caret_ = 0; return true;
    case KeyKind::end: caret_ = text_.size(); return true;
    case KeyKind::up:
      if (recalled_ > 0) recall(recalled_ - 1);
      return true;
    case KeyKind::down:
      if (recalled_ < before_.size()) recall(recalled_ + 1);
      return true;
    default: return false;
  }
}

std::string LineEditor::finish() {
  std::string line = std::move(text_);
  if (!trimmed(line).empty() && (before_.empty() || before_.back() != line)) before_.push_back(line);
  clear();
  return line;
}

void LineEditor::clear() {
  text_.clear();
  caret_ = 0;
  recalled_ = before_.size();
}

}  // namespace paika::terminal
