// The entry of the page. Replaces the server's HTML by the view of the same URL.

import { render } from 'preact';
import { loadSession, session } from './calls/session';
import { startKeys } from './player/keys';
import { startOffline } from './search/offline_switch';
import { App } from './shell/app';
import { address, restoreScroll, startRouter, historyState } from './shell/router';
import { chooseLanguage } from './shell/texts';
import './style/tokens.css';
import './style/page.css';
import './style/tracks.css';
import './style/player.css';
import './style/people.css';

async function start() {
  await chooseLanguage();
  startRouter();
  startKeys();
  const box = document.getElementById('app');
  if (!box) throw new Error('the page has no #app element');
  box.textContent = '';
  render(<App />, box);
  if (historyState().y) restoreScroll();
  await loadSession();
  if (session.value?.offline && address.value.searchParams.get('view') === 'offline') void startOffline(false);
}

void start();
