#include "catalog/index/completions.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "catalog/index/hash.h"
#include "text/unicode.h"

namespace tonearm::catalog {
namespace {

/// Blocks of keys end after so many bytes.
constexpr std::size_t kBlockSize = 16 * 1024;

/// COMPLETE-3, by CompletionField: the weight of a track.
constexpr std::array<std::uint64_t, kCompletionFieldNames.size()> kFieldWeights{4, 4, 4, 1, 2};
/// Whole texts count more than last words.
constexpr std::uint64_t kWholeWeight = 2;

/// The number of blocks and heads of each kind are before the blocks, which are aligned to their size.
constexpr std::size_t kCountsBytes = sizeof(Completions::Block);

/// Precedes each key. Its bytes that differ from the previous key follow, then the text.
struct KeyHead {
  std::uint8_t shared = 0;  // bytes that the key has in common with the previous one of the block
  std::uint8_t key = 0;     // the number of its other bytes
  std::uint8_t text = 0;    // the size of the text
  std::uint8_t kind = 0;    // the field; plus kWhole, if the key is the whole text
  std::uint32_t total = 0;
};
static_assert(sizeof(KeyHead) == 8);
constexpr std::uint8_t kWhole = 0x80;

/// A key and its text, as views.
struct KeyView {
  std::string_view key;
  std::string_view text;
  CompletionField field = CompletionField::words;
  bool is_whole = false;
  std::uint32_t total = 0;
};

/// Sorts first what is better for `typed`.
struct Better {
  std::string_view typed;

  auto rank(const KeyView& it) const {
    const std::uint64_t score =
        it.total * kFieldWeights.at(static_cast<std::size_t>(it.field)) * (it.is_whole ? kWholeWeight : 1);
    return std::tuple(it.is_whole && it.key == typed, score);
  }
  bool operator()(const KeyView& a, const KeyView& b) const {
    const auto of_a = rank(a);
    const auto of_b = rank(b);
    if (of_a != of_b) return of_a > of_b;
    return std::tuple(a.text.size(), a.text) < std::tuple(b.text.size(), b.text);
  }
};

/// Sorts the best to the front; a text counts once. Returns their number.
std::size_t select_best(std::vector<KeyView>& keys, std::string_view typed) {
  // A text has at most two keys.
  const auto end = keys.begin() + static_cast<std::ptrdiff_t>(std::min(keys.size(), 2 * kCompletionsMax));
  std::partial_sort(keys.begin(), end, keys.end(), Better{typed});
  std::size_t count = 0;
  for (auto it = keys.begin(); it != end && count < kCompletionsMax; ++it) {
    const auto kept = keys.begin() + static_cast<std::ptrdiff_t>(count);
    const bool is_known = std::any_of(keys.begin(), kept, [&](const KeyView& other) { return other.text == it->text; });
    if (!is_known) keys[count++] = *it;
  }
  return count;
}

void append_key(const KeyView& it, std::size_t shared, std::string& out) {
  const KeyHead head{static_cast<std::uint8_t>(shared), static_cast<std::uint8_t>(it.key.size() - shared),
                     static_cast<std::uint8_t>(it.text.size()),
                     static_cast<std::uint8_t>(static_cast<unsigned>(it.field) | (it.is_whole ? kWhole : 0U)),
                     it.total};
  out += raw_bytes(std::span(&head, 1));
  out += it.key.substr(shared);
  out += it.text;
}

/// Calls `visit` for each key. The views are valid during the call, but texts as long as `bytes`.
template <class Visit>
void each_key(std::string_view bytes, const Visit& visit) {
  std::string key;
  while (!bytes.empty()) {
    KeyHead head;
    std::memcpy(&head, slice(bytes, 0, sizeof head).data(), sizeof head);
    const std::string_view suffix = slice(bytes, sizeof head, head.key);
    const std::string_view text = slice(bytes, sizeof head + head.key, head.text);
    const std::size_t field = head.kind & ~unsigned{kWhole};
    if (head.shared > key.size() || field >= kCompletionFieldNames.size()) throw_damaged("a completion is invalid");
    key.resize(head.shared);
    key += suffix;
    visit(KeyView{key, text, static_cast<CompletionField>(field), (head.kind & kWhole) != 0, head.total});
    bytes.remove_prefix(sizeof head + suffix.size() + text.size());
  }
}

Completion completion_of(const KeyView& it) { return {std::string(it.text), it.field, it.total}; }

/// Encodes the keys of a kind.
class ListEncoder {
 public:
  explicit ListEncoder(const CompletionTexts& texts) : texts_(texts) {
    if (texts.size() > ~std::uint32_t{0} / 2) throw Failure("there are too many completions");
    std::size_t bytes_max = 0;
    for (std::uint32_t i = 0; i < texts.size(); ++i) {
      const auto add_key = [&](Key key) {
        keys_.push_back(key);
        const KeyView it = view(key);
        bytes_max += sizeof(KeyHead) + it.key.size() + it.text.size();
      };
      add_key(2 * i);
      if (texts[i].last_word > 0) add_key(2 * i + 1);
    }
    std::sort(keys_.begin(), keys_.end(), [this](Key left, Key right) {
      const KeyView a = view(left);
      const KeyView b = view(right);
      return std::tuple(a.key, b.is_whole, a.text) < std::tuple(b.key, a.is_whole, b.text);
    });
    encoded_.bytes.reserve(bytes_max);
    encode_blocks();
    encode_heads(0, keys_.size(), 0);
    std::sort(encoded_.heads.begin(), encoded_.heads.end(), [](const Completions::Head& a, const Completions::Head& b) {
      return std::tuple(a.prefix_hash, a.begin) < std::tuple(b.prefix_hash, b.begin);
    });
  }

  EncodedCompletions finish() { return std::move(encoded_); }

 private:
  /// Twice the number of a text, plus 1 if the key is its last word.
  using Key = std::uint32_t;

  KeyView view(Key key) const {
    const CompletionTexts::Text it = texts_[key / 2];
    const bool is_whole = key % 2 == 0;
    return {it.folded.substr(is_whole ? 0 : it.last_word), it.text, it.field, is_whole, it.total};
  }

  void encode_blocks() {
    auto& [blocks, heads, bytes] = encoded_;
    std::string_view previous;
    for (const Key key : keys_) {
      const KeyView it = view(key);
      if (blocks.empty() || bytes.size() - blocks.back().begin >= kBlockSize) {
        Completions::Block block{static_cast<std::uint32_t>(bytes.size()), 0, {}};
        std::copy_n(it.key.begin(), std::min(it.key.size(), block.first_key.size()), block.first_key.begin());
        blocks.push_back(block);
        previous = {};
      }
      const auto end = std::mismatch(previous.begin(), previous.end(), it.key.begin(), it.key.end()).first;
      append_key(it, static_cast<std::size_t>(end - previous.begin()), bytes);
      blocks.back().size = static_cast<std::uint32_t>(bytes.size()) - blocks.back().begin;
      previous = it.key;
    }
  }

  /// Encodes the heads of all longer prefixes in a range of keys that share `size` bytes.
  void encode_heads(std::size_t begin, std::size_t end, std::size_t size) {
    while (begin < end) {
      const std::string_view first = view(keys_[begin]).key;
      if (first.size() == size) {
        ++begin;
        continue;
      }
      std::size_t after = size;
      text::next_code_point(first, after);
      const std::string_view prefix = first.substr(0, after);
      std::size_t next = begin + 1;
      while (next < end && view(keys_[next]).key.starts_with(prefix)) ++next;
      if (next - begin > kScannedKeysMax) {
        add_head(prefix, begin, next);
        encode_heads(begin, next, after);
      }
      begin = next;
    }
  }

  void add_head(std::string_view prefix, std::size_t begin, std::size_t end) {
    std::vector<KeyView> keys;
    keys.reserve(end - begin);
    for (std::size_t i = begin; i < end; ++i) keys.push_back(view(keys_[i]));
    const std::size_t count = select_best(keys, prefix);
    std::string& bytes = encoded_.bytes;
    Completions::Head head{hash64(prefix), static_cast<std::uint32_t>(bytes.size()), 0};
    bytes += static_cast<char>(static_cast<unsigned char>(prefix.size()));
    bytes += prefix;
    for (std::size_t i = 0; i < count; ++i) append_key(keys[i], 0, bytes);
    head.size = static_cast<std::uint32_t>(bytes.size()) - head.begin;
    encoded_.heads.push_back(head);
  }

  const CompletionTexts& texts_;
  std::vector<Key> keys_;
  EncodedCompletions encoded_;
};

}  // namespace

void CompletionTexts::add(const Text& it) {
  entries_.push_back({bytes_.size(), it.total, static_cast<std::uint8_t>(it.text.size()),
                      static_cast<std::uint8_t>(it.folded.size()), static_cast<std::uint8_t>(it.last_word), it.field});
  bytes_.append(it.text).append(it.folded);
}

CompletionTexts::Text CompletionTexts::operator[](std::size_t index) const {
  const Entry& it = entries_[index];
  const std::string_view both =
      std::string_view(bytes_).substr(static_cast<std::size_t>(it.begin), std::size_t{it.text_size} + it.folded_size);
  return {both.substr(0, it.text_size), both.substr(it.text_size), it.last_word, it.field, it.total};
}

void CompletionsEncoder::add(const CompletionTexts& texts) { kinds_.push_back(ListEncoder(texts).finish()); }

void CompletionsEncoder::finish(const std::function<void(std::string_view bytes)>& append) {
  std::array<Completions::Counts, kKindNames.size()> counts{};
  std::uint64_t begin = kCountsBytes;
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    const auto& [blocks, heads, bytes] = kinds_[i];
    counts.at(i) = {static_cast<std::uint32_t>(blocks.size()), static_cast<std::uint32_t>(heads.size())};
    begin += blocks.size() * sizeof(Completions::Block) + heads.size() * sizeof(Completions::Head);
  }
  for (auto& [blocks, heads, bytes] : kinds_) {
    if (begin + bytes.size() > ~std::uint32_t{0}) throw Failure("the completions take more than 4 GiB");
    for (Completions::Block& block : blocks) block.begin += static_cast<std::uint32_t>(begin);
    for (Completions::Head& head : heads) head.begin += static_cast<std::uint32_t>(begin);
    begin += bytes.size();
  }
  std::string first(raw_bytes(counts));
  first.resize(kCountsBytes);
  append(first);
  for (const EncodedCompletions& kind : kinds_) append(raw_bytes(kind.blocks));
  for (const EncodedCompletions& kind : kinds_) append(raw_bytes(kind.heads));
  for (const EncodedCompletions& kind : kinds_) append(kind.bytes);
}

Completions::Completions(const Extent& section) : section_(section) {
  if (section.size() == 0) return;
  std::array<Counts, kKindNames.size()> counts{};
  std::string buffer;
  std::memcpy(counts.data(), section.bytes(0, sizeof counts, buffer).data(), sizeof counts);
  std::uint64_t at = kCountsBytes;
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    lists_.at(i).blocks = section.array<Block>(at, counts.at(i).blocks);
    at += std::uint64_t{counts.at(i).blocks} * sizeof(Block);
  }
  for (std::size_t i = 0; i < lists_.size(); ++i) {
    lists_.at(i).heads = section.array<Head>(at, counts.at(i).heads);
    at += std::uint64_t{counts.at(i).heads} * sizeof(Head);
  }
  if (section.is_in_memory()) return;
  for (List& list : lists_) {
    list.resident_blocks.assign(list.blocks.begin(), list.blocks.end());
    list.blocks = list.resident_blocks;
    list.resident_heads.assign(list.heads.begin(), list.heads.end());
    list.heads = list.resident_heads;
  }
}

std::optional<Completions::Head> Completions::find_head(const List& list, std::string_view typed) {
  const std::uint64_t hash = hash64(typed);
  const auto found = std::lower_bound(list.heads.begin(), list.heads.end(), hash,
                                      [](const Head& head, std::uint64_t value) { return head.prefix_hash < value; });
  if (found == list.heads.end() || (*found).prefix_hash != hash) return std::nullopt;
  return *found;
}

/// Returns the blocks that may have keys that begin with `typed`.
Completions::BlockRange Completions::blocks_of(const List& list, std::string_view typed) {
  const std::string_view compared = typed.substr(0, Block::kKeyBytes);
  const auto key_of = [&](const Block& block) { return std::string_view(block.first_key.data(), compared.size()); };
  const auto first = std::partition_point(list.blocks.begin(), list.blocks.end(),
                                          [&](const Block& block) { return key_of(block) < compared; });
  const auto after = std::partition_point(list.blocks.begin(), list.blocks.end(),
                                          [&](const Block& block) { return key_of(block) <= compared; });
  const auto begin = static_cast<std::size_t>(first - list.blocks.begin());
  return {begin == 0 ? 0 : begin - 1, static_cast<std::size_t>(after - list.blocks.begin())};
}

std::vector<Completion> Completions::find(Kind kind, std::string_view typed) const {
  const List& list = list_of(kind);
  std::vector<Completion> found;
  std::string buffer;
  if (const auto head = find_head(list, typed)) {
    std::string_view stored = section_.bytes(head->begin, head->size, buffer);
    const std::size_t size = static_cast<unsigned char>(slice(stored, 0, 1).front());
    if (slice(stored, 1, size) == typed) {
      each_key(stored.substr(1 + size), [&](const KeyView& it) { found.push_back(completion_of(it)); });
      return found;
    }
  }
  std::vector<KeyView> keys;
  const BlockRange range = blocks_of(list, typed);
  std::vector<std::string> buffers(range.end - range.begin);  // texts refer to them
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const Block block = list.blocks[i];
    each_key(section_.bytes(block.begin, block.size, buffers[i - range.begin]), [&](const KeyView& it) {
      if (!it.key.starts_with(typed)) return;
      keys.push_back(it);
      // The key itself is gone after the call; ranking needs only whether it is the typed text.
      keys.back().key = it.key.size() == typed.size() ? typed : std::string_view();
    });
  }
  const std::size_t count = select_best(keys, typed);
  for (std::size_t i = 0; i < count; ++i) found.push_back(completion_of(keys[i]));
  return found;
}

void Completions::add_ranges(Kind kind, std::string_view typed, std::vector<FileRange>& ranges) const {
  const List& list = list_of(kind);
  if (const auto head = find_head(list, typed)) {
    ranges.push_back(section_.range(head->begin, head->size));
    return;
  }
  const BlockRange range = blocks_of(list, typed);
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const Block block = list.blocks[i];
    ranges.push_back(section_.range(block.begin, block.size));
  }
}

void Completions::each_entry(Kind kind, const std::function<void(const Entry&)>& visit) const {
  const List& list = list_of(kind);
  std::string buffer;
  for (std::size_t i = 0; i < list.blocks.size(); ++i) {
    const Block block = list.blocks[i];
    each_key(section_.bytes(block.begin, block.size, buffer), [&](const KeyView& it) {
      visit({std::string(it.key), it.is_whole, completion_of(it)});
    });
  }
}

}  // namespace tonearm::catalog
