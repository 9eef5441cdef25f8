#pragma once
// What the module says at the end of each kind of call. For one thread.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "message.h"
#include "tonearm/home.h"
#include "tonearm/result.h"

namespace tonearm::wasm {

inline const Error kFault{ErrorCode::internal_error, "A fault of the server; retry later."};
inline const Error kBadMessage{ErrorCode::internal_error, "The message breaks the layout."};

/// What a host refuses by itself; numbered as the worker names it.
enum class Refusal : std::uint32_t { fault, unavailable, broken_body, failed_keys };

/// A line for the operator.
void log(std::string_view line);

Outcome done(std::string body = {});
/// Blocks were missing: the same call is to be made again.
Outcome again();
Outcome refused(const Error& error);
/// `wait_s`: for how many seconds more.
Outcome refused(Refusal refusal, std::uint32_t wait_s);

Outcome located(std::variant<Response, CallPlace> place);
Outcome admit(HomeService& service, const Asked& asked);
Outcome answer(HomeService& service, const Asked& asked);
/// The call was admitted, and cannot go on.
Outcome refuse(HomeService& service, const Asked& asked, Refusal refusal);
Outcome next_change(HomeService& service, std::string_view after);

}  // namespace tonearm::wasm
