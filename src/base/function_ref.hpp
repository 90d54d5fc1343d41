// FunctionRef: something to call, without owning it and without its type.
//
// For parameters of functions that would otherwise be templates over every lambda they are given. It must not
// outlive what it refers to, so it is passed on but never kept.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace paika {

template <class Signature>
class FunctionRef;

template <class Result, class... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> && std::is_invocable_r_v<Result, F&, Arguments...>)
  FunctionRef(F&& f) noexcept  // NOLINT(google-explicit-constructor): a lambda is given where one is asked for
      : object_(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
        call_([](void* object, Arguments... arguments) -> Result {
          return (*static_cast<std::remove_reference_t<F>*>(object))(std::forward<Arguments>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const { return call_(object_, std::forward<Arguments>(arguments)...); }

 private:
  void* object_;
  Result (*call_)(void*, Arguments...);
};

}  // namespace paika
