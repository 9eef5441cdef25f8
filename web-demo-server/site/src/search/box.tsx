// The search box in the header of every page, and the two modes beside it. Typing on another page starts a search.

import { useEffect, useRef } from 'preact/hooks';
import { signal } from '@preact/signals';
import type { Kind } from '../calls/types';
import { Icon } from '../shell/icons';
import { address, navigate } from '../shell/router';
import { oneLine, t } from '../shell/texts';
import { withChanges, hrefOf, isStart, kindOf, searchOf, withKind } from './query';
import { markTyping, runSearch } from './results';

const BURST_MS = 60; // keystrokes that are closer together cause one search
const SETTLED_MS = 1200; // after this pause, the next keystroke creates a history entry
const START_MS = 150; // how long the start page waits for the first results, so that it is replaced once

const words = signal('');
/** Shows the words of a URL in the box. */
export const showWords = ({ pathname, searchParams }: URL) => { words.value = pathname === '/' ? oneLine(searchParams.get('q') ?? '') : ''; };

let timer = 0;
let lastStroke = 0;
let lastCommit = 0;

const isSearch = () => address.value.pathname === '/';
const currentQuery = () => (isSearch() ? searchOf(address.value) : new URLSearchParams());

/** Writes the words into the URL. Consecutive keystrokes share one history entry. */
function commit() {
  window.clearTimeout(timer);
  const query = withChanges(currentQuery(), { q: words.value.trim() ? words.value : null, match: null });
  const own = new URL(address.value);
  own.searchParams.delete('exact');
  const now = performance.now();
  const replace = pendingSearch?.replace ?? (isSearch() && now - lastCommit < SETTLED_MS);
  lastCommit = now;
  cancelPendingSearch();
  if (isStart(address.value) && words.value.trim()) {
    replaceStartPage(query, hrefOf(query, own), replace);
    return;
  }
  navigate(hrefOf(query, own), { replace });
  void runSearch(query); // before the views are rendered again
}

/** A search whose first results will replace the start page, so that the page is not an empty list first. */
let pendingSearch: { replace: boolean; timer: number } | null = null;

function cancelPendingSearch() {
  window.clearTimeout(pendingSearch?.timer);
  pendingSearch = null;
}

function replaceStartPage(query: URLSearchParams, href: string, replace: boolean) {
  const show = () => {
    if (pendingSearch !== own) return;
    cancelPendingSearch();
    if (isStart(address.value)) navigate(href, { replace });
  };
  const own = { replace, timer: window.setTimeout(show, START_MS) };
  pendingSearch = own;
  void runSearch(query, show);
}

function handleInput(value: string) {
  words.value = value;
  markTyping();
  const now = performance.now();
  const inBurst = now - lastStroke < BURST_MS;
  lastStroke = now;
  window.clearTimeout(timer);
  if (inBurst) timer = window.setTimeout(commit, BURST_MS / 2);
  else commit();
}

export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => address.subscribe((now) => {
    const q = now.pathname === '/' ? now.searchParams.get('q') ?? '' : '';
    if (q.trim() !== words.peek().trim() && document.activeElement !== input.current) words.value = q;
    else if (q.trim() !== words.peek().trim() && performance.now() - lastCommit > SETTLED_MS) words.value = q;
  }), []);
  return (
    <form class="search-form" role="search" action="/" onSubmit={(event) => { event.preventDefault(); commit(); input.current?.blur(); }}>
      <Icon name="search" />
      <input ref={input} id="search-box" name="q" type="search" autoComplete="off" autoCapitalize="off" spellcheck={false} maxLength={500} enterkeyhint="search"
        aria-label={t('search.label')} placeholder={t(kindOf(currentQuery()) === 'sfx' ? 'search.hint.sfx' : 'search.hint.music')}
        value={words.value} onInput={(event) => handleInput(event.currentTarget.value)} />
      <kbd class="wide-only" aria-hidden="true">/</kbd>
    </form>
  );
}

export function Modes() {
  const kind = isSearch() ? kindOf(searchOf(address.value)) : null;
  const link = (mode: Kind) => {
    const query = isSearch() ? withKind(searchOf(address.value), mode) : withKind(new URLSearchParams(), mode);
    return <a href={hrefOf(query, address.value)} aria-current={kind === mode ? 'page' : undefined}>{t(`mode.${mode}`)}</a>;
  };
  return <nav class="modes" aria-label={t('mode.label')}>{link('music')}{link('sfx')}</nav>;
}
