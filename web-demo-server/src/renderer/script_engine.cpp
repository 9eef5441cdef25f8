#include "renderer/script_engine.h"

#include <JavaScriptCore/JavaScript.h>

#include <cstdlib>
#include <stdexcept>

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

class ScriptEngine::Context {
 public:
  Context(const std::string& script, const std::string& name) : context_(JSGlobalContextCreate(nullptr)) {
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
  ~Context() {
    JSValueUnprotect(context_, site_);
    JSGlobalContextRelease(context_);
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  std::string call(const std::string& name, const std::string& json) {
    JSValueRef exception = nullptr;
    auto* const function = JSValueToObject(context_, member(site_, name.c_str()), &exception);
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

ScriptEngine::ScriptEngine(const std::string& script, const std::string& name) {
  // The service forbids executable memory, so the engine must interpret. JavaScriptCore reads this once, at the first
  // use.
  setenv("JSC_useJIT", "0", 1);  // NOLINT(concurrency-mt-unsafe): no other thread runs yet
  context_ = std::make_unique<Context>(script, name);
}

ScriptEngine::~ScriptEngine() = default;

std::string ScriptEngine::call(const std::string& function, const std::string& json) {
  return context_->call(function, json);
}

}  // namespace tonearm::web
