// Declares the imports of imports.h to the linker, so that any other undefined symbol is an error. No JavaScript is
// generated from this file; core-js/src/imports.ts implements the functions.
mergeInto(LibraryManager.library, {
  host_now_ms: function () {},
  host_random: function () {},
  host_sha256: function () {},
  host_hmac_sha256: function () {},
  host_fetch: function () {},
  host_find_result: function () {},
  host_store_result: function () {},
  host_find_answer: function () {},
  host_store_answer: function () {},
  host_sql: function () {},
  host_take: function () {},
  host_transact: function () {},
  host_read_counts: function () {},
  host_replace_counts: function () {},
  host_next_number: function () {},
  host_log: function () {},
});
