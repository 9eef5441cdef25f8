// The address as a signal. Links of the site change it without a new page; back and forward bring the view and its place.

import { signal } from '@preact/signals';

export const address = signal(new URL(location.href));

export interface Visit {
  y?: number;
  shown?: number; // how many results had been loaded
}

export const visit = (): Visit => (history.state as Visit | null) ?? {};

/** Adds to what is kept with this entry of the history. */
export function keep(more: Visit) {
  history.replaceState({ ...visit(), ...more }, '');
}

export function go(href: string, { replace = false } = {}) {
  const next = new URL(href, location.href);
  if (next.href === location.href) return;
  const samePath = next.pathname === location.pathname;
  if (!replace) keep({ y: window.scrollY });
  history[replace ? 'replaceState' : 'pushState'](replace ? visit() : {}, '', next);
  address.value = next;
  if (!samePath) window.scrollTo(0, 0);
}

const OTHER_PAGES = /^\/(docs|assets|media|offline|site|openapi\.json|sitemap|robots)/;

function followed(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = (event.target as Element | null)?.closest?.('a[href]');
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute('download')) return null;
  if (link.origin !== location.origin || OTHER_PAGES.test(link.pathname)) return null;
  if (link.pathname === location.pathname && link.search === location.search && link.hash) return null; // within the page
  return link.href;
}

export function startRouter() {
  history.scrollRestoration = 'manual';
  document.addEventListener('click', (event) => {
    const href = followed(event);
    if (href === null) return;
    event.preventDefault();
    go(href);
  });
  window.addEventListener('popstate', () => {
    address.value = new URL(location.href);
    returnToPlace();
  });
  let pending = 0;
  window.addEventListener('scroll', () => {
    window.clearTimeout(pending);
    pending = window.setTimeout(() => keep({ y: window.scrollY }), 150);
  }, { passive: true });
}

/** Scrolls to where this entry of the history was left, once the view is high enough; gives up after a second. */
export function returnToPlace() {
  const { y = 0 } = visit();
  const until = performance.now() + 1000;
  const attempt = () => {
    window.scrollTo(0, y);
    if (Math.abs(window.scrollY - y) > 2 && performance.now() < until) requestAnimationFrame(attempt);
  };
  requestAnimationFrame(attempt);
}

/** Titles of pages name what they show. */
export function setTitle(...parts: string[]) {
  document.title = [...parts.filter(Boolean), 'Tonearm'].join(' · ').slice(0, 200);
}
