// The entry of the page in the browser. Takes over the HTML that the server rendered (server.tsx).

import { effect } from '@preact/signals';
import { hydrate } from 'preact';
import { loadSession, session } from './calls/session';
import { readPageData } from './calls/page_data';
import { startKeys } from './player/keys';
import { startOffline } from './search/offline_switch';
import { App, showPage } from './shell/app';
import { address, restoreScroll, startRouter, historyState } from './shell/router';
import { routeOf } from './shell/routes';
import { setLanguage } from './shell/texts';
import './style/tokens.css';
import './style/page.css';
import './style/tracks.css';

async function start() {
  const { language, answers } = readPageData();
  await setLanguage(language);
  startRouter();
  showPage(address.value, answers);
  startKeys();
  const box = document.getElementById('app');
  if (!box) throw new Error('the page has no #app element');
  // The server renders only a heading for views with a person's own data.
  if (routeOf(address.value)?.route.isPrivate) document.getElementById('main')?.replaceChildren();
  hydrate(<App />, box);
  if (historyState().y) restoreScroll();
  await loadSession();
  effect(() => {
    if (session.value?.signed_in) void import('./collections/store').then(({ loadMarks }) => loadMarks()).catch(() => undefined);
  });
  if (session.value?.offline && address.value.searchParams.get('view') === 'offline') void startOffline(false);
}

void start();
