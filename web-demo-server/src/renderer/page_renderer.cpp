#include "renderer/page_renderer.h"

#include <JavaScriptCore/JavaScript.h>

#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace tonearm::web {
namespace {

struct StringRelease {
  void operator()(JSStringRef string) const { JSStringRelease(string); }
};
using String = std::unique_ptr<OpaqueJSString, StringRelease>;

String make_string(const std::string& utf8) { return String(JSStringCreateWithUTF8CString(utf8.c_str())); }

std::string text_of(JSContextRef context, JSValueRef value) {
  const String string(JSValueToStringCopy(context, value, nullptr));
  if (!string) return "an exception without a message";
  std::string text(JSStringGetMaximumUTF8CStringSize(string.get()), '\0');
  const auto size = JSStringGetUTF8CString(string.get(), text.data(), text.size());
  text.resize(size == 0 ? 0 : size - 1);  // without the final NUL
  return text;
}

}  // namespace

/// One JavaScript context. One thread at a time.
class ScriptEngine {
 public:
  ScriptEngine(const std::string& script, const std::string& name) : context_(JSGlobalContextCreate(nullptr)) {
    const auto source = make_string(script);
    const auto url = make_string(name);
    JSValueRef exception = nullptr;
    JSEvaluateScript(context_, source.get(), nullptr, url.get(), 1, &exception);
    try {
      check(exception);
      site_ = JSValueToObject(context_, member(JSContextGetGlobalObject(context_), "site"), &exception);
      check(exception);
    } catch (...) {
      JSGlobalContextRelease(context_);
      throw;
    }
    JSValueProtect(context_, site_);
  }
  ~ScriptEngine() {
    JSValueUnprotect(context_, site_);
    JSGlobalContextRelease(context_);
  }
  ScriptEngine(const ScriptEngine&) = delete;
  ScriptEngine& operator=(const ScriptEngine&) = delete;

  std::string call(const char* name, const std::string& json) {
    JSValueRef exception = nullptr;
    auto* const function = JSValueToObject(context_, member(site_, name), &exception);
    check(exception);
    const auto argument_text = make_string(json);
    JSValueRef argument = JSValueMakeString(context_, argument_text.get());
    const auto* const result = JSObjectCallAsFunction(context_, function, nullptr, 1, &argument, &exception);
    check(exception);
    return text_of(context_, result);
  }

 private:
  JSValueRef member(JSObjectRef object, const char* name) {
    const auto key = make_string(name);
    JSValueRef exception = nullptr;
    const auto* const value = JSObjectGetProperty(context_, object, key.get(), &exception);
    check(exception);
    return value;
  }

  void check(JSValueRef exception) const {
    if (exception != nullptr) throw std::runtime_error("the page script failed: " + text_of(context_, exception));
  }

  JSGlobalContextRef context_;
  JSObjectRef site_ = nullptr;
};

/// Holds an engine during a call.
class PageRenderer::Lease {
 public:
  explicit Lease(PageRenderer& renderer) : renderer_(renderer) {
    std::unique_lock lock(renderer_.mutex_);
    renderer_.released_.wait(lock, [&] { return !renderer_.idle_.empty(); });
    engine_ = std::move(renderer_.idle_.back());
    renderer_.idle_.pop_back();
  }
  ~Lease() {
    {
      const std::lock_guard lock(renderer_.mutex_);
      renderer_.idle_.push_back(std::move(engine_));
    }
    renderer_.released_.notify_one();
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  ScriptEngine& engine() { return *engine_; }

 private:
  PageRenderer& renderer_;
  std::unique_ptr<ScriptEngine> engine_;
};

PageRenderer::PageRenderer(const std::string& script, const std::string& name, std::size_t engines) {
  // The service forbids executable memory, so the engine must interpret. JavaScriptCore reads this once, at the first
  // use.
  setenv("JSC_useJIT", "0", 1);  // NOLINT(concurrency-mt-unsafe): no other thread runs yet
  idle_.reserve(engines);
  for (std::size_t i = 0; i < engines; ++i) idle_.push_back(std::make_unique<ScriptEngine>(script, name));
}

PageRenderer::~PageRenderer() = default;

std::string PageRenderer::call(const char* function, const std::string& json) {
  Lease lease(*this);
  return lease.engine().call(function, json);
}

}  // namespace tonearm::web
