// The URL as a signal. Links within the site change it without loading a page. Back and forward restore the scroll position.

import { signal } from '@preact/signals';

/** Set before the first view is rendered (main.tsx, server.tsx). */
export const address = signal(null as unknown as URL);

/** The origin of this site. Set with the first address. */
export const site = signal('');

export interface HistoryState {
  y?: number;
  shown?: number; // number of loaded results
}

export const historyState = (): HistoryState => (history.state as HistoryState | null) ?? {};

/** Adds to the state of the current history entry. */
export function saveHistoryState(more: HistoryState) {
  history.replaceState({ ...historyState(), ...more }, '');
}

export function navigate(href: string, { replace = false } = {}) {
  const next = new URL(href, location.href);
  if (next.href === location.href) return;
  const samePath = next.pathname === location.pathname;
  if (!replace) saveHistoryState({ y: window.scrollY });
  history[replace ? 'replaceState' : 'pushState'](replace ? historyState() : {}, '', next);
  address.value = next;
  if (!samePath) window.scrollTo(0, 0);
}

const OTHER_PAGES = /^\/(docs|embed|feeds|assets|media|offline|site|openapi\.json|sitemap|robots)/;

function linkTarget(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = (event.target as Element | null)?.closest?.('a[href]');
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute('download')) return null;
  if (link.origin !== location.origin || OTHER_PAGES.test(link.pathname)) return null;
  if (link.pathname === location.pathname && link.search === location.search && link.hash) return null; // a fragment of the same page
  return link.href;
}

export function startRouter() {
  address.value = new URL(location.href);
  site.value = location.origin;
  history.scrollRestoration = 'manual';
  document.addEventListener('click', (event) => {
    const href = linkTarget(event);
    if (href === null) return;
    event.preventDefault();
    navigate(href);
  });
  window.addEventListener('popstate', () => {
    address.value = new URL(location.href);
  site.value = location.origin;
    restoreScroll();
  });
  let pending = 0;
  window.addEventListener('scroll', () => {
    window.clearTimeout(pending);
    pending = window.setTimeout(() => saveHistoryState({ y: window.scrollY }), 150);
  }, { passive: true });
}

/** Scrolls to the position of this history entry as soon as the view is high enough. Gives up after a second. */
export function restoreScroll() {
  const { y = 0 } = historyState();
  const until = performance.now() + 1000;
  const attempt = () => {
    window.scrollTo(0, y);
    if (Math.abs(window.scrollY - y) > 2 && performance.now() < until) requestAnimationFrame(attempt);
  };
  requestAnimationFrame(attempt);
}
