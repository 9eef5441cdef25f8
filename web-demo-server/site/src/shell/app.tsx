// The shell: header, the view of the URL, player bar, notices.

import { useEffect, useRef } from 'preact/hooks';
import { keepPageAnswers } from '../calls/answers';
import type { Answer } from '../calls/answers';
import { session } from '../calls/session';
import { tracksToAdd } from '../collections/selection';
import { awaitingConsent, current } from '../player/player';
import { keysShown } from '../player/keys';
import { Modes, SearchBox, showWords } from '../search/box';
import { SelectionBar } from '../search/list';
import { isStart, searchOf } from '../search/query';
import { forgetResults, showKnown } from '../search/results';
import { Icon } from './icons';
import { lazy } from './lazy';
import { Missing } from './missing';
import { dismiss, notices } from './notices';
import { address } from './router';
import { documentTitle, headOf, routeOf } from './routes';
import { LANGUAGES, language, pickLanguage, t } from './texts';
import type { Language } from './texts';

const nothing = () => null;
const AddDialog = lazy(() => import('../collections/add_dialog').then((loaded) => loaded.AddDialog), nothing);
const PlayerBar = lazy(() => import('../player/bar').then((loaded) => loaded.PlayerBar), nothing);
const ConsentDialog = lazy(() => import('../player/consent_dialog').then((loaded) => loaded.ConsentDialog), nothing);
const KeysDialog = lazy(() => import('../player/keys_dialog').then((loaded) => loaded.KeysDialog), nothing);

/** Prepares the state of the views for a URL, from the answers that came with the page. */
export function showPage(url: URL, answers: Record<string, Answer>) {
  keepPageAnswers(answers);
  forgetResults();
  showWords(url);
  if (url.pathname === '/') showKnown(searchOf(url));
}

function Header({ start }: { start: boolean }) {
  const account = session.value?.account;
  return (
    <header class="head">
      <a class="brand" href="/" aria-label={t('brand.home')}>
        <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><circle cx="10" cy="13" r="8.500" /><circle cx="10" cy="13" r="2" /><path d="M20 3v9l-5 4" /></svg>
        <span>{t('site.name')}</span>
      </a>
      {start && <div class="welcome"><h1>{t('welcome.title')}</h1><p class="lead">{t('welcome.lead')}</p><p><a href="/film">{t('start.film')}</a></p></div>}
      <SearchBox />
      <Modes />
      <nav class="site-nav" aria-label={t('nav.label')}>
        <a href="/collections" aria-label={t('nav.collections')}><Icon name="list" /><span>{t('nav.collections')}</span></a>
        <a class="account-link" href={account ? '/account' : '/sign-in'} aria-label={account ? `${t('nav.account')}: ${account.name}` : t('nav.signIn')}>
          <Icon name="person" /><span class="account-name"><bdi>{account ? account.name : t('nav.signIn')}</bdi></span>
        </a>
      </nav>
    </header>
  );
}

function Footer() {
  return (
    <footer class="foot">
      <p>{t('foot.license')}</p>
      <nav aria-label={t('foot.label')}>
        <a href="/film">{t('film.title')}</a>
        <a href="/docs">{t('nav.docs')}</a>
        <button class="link" type="button" onClick={() => { keysShown.value = true; }}>{t('foot.keys')}</button>
        <label class="picker">
          <span>{t('foot.language')}</span>
          <select value={language.value} onChange={(event) => void pickLanguage(event.currentTarget.value as Language)}>
            {Object.entries(LANGUAGES).map(([name, label]) => <option key={name} value={name} lang={name}>{label}</option>)}
          </select>
        </label>
      </nav>
    </footer>
  );
}

function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, text, tone, action }) => (
        <div class="notice" data-tone={tone} key={id}>
          <span>{text}</span>
          {action && <button type="button" onClick={() => { dismiss(id); action.run(); }}>{action.label}</button>}
          <button class="icon" type="button" aria-label={t('dialog.close')} onClick={() => dismiss(id)}><Icon name="close" /></button>
        </div>
      ))}
    </div>
  );
}

function View() {
  const found = routeOf(address.value);
  const head = headOf(address.value);
  const title = documentTitle(head ? head.title : t('error.missing'));
  useEffect(() => { document.title = title; }, [title]);
  if (!found || !head) return <Missing {...(found?.route.gone ? { text: t(found.route.gone) } : {})} />;
  const { route, page } = found;
  if (typeof document === 'undefined' && route.isPrivate) return <div class="page"><h1>{head.title}</h1><noscript>{t('needs.script')}</noscript></div>;
  return <route.View key={page.address.pathname} parts={page.parts} />;
}

export function App() {
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const path = address.value.pathname;
  const start = isStart(address.value);
  useEffect(() => {
    // Moves the focus to the top of a new view for screen readers, unless the person is typing in the search box.
    if (!first.current && document.activeElement?.id !== 'search-box') main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [path]);
  return (
    <div class="shell" data-bar={current.value ? 'shown' : undefined} data-start={start || undefined}>
      <a class="skip" href={path === '/' ? '#results' : '#main'}>{t(path === '/' ? 'nav.skipToResults' : 'nav.skip')}</a>
      <Header start={start} />
      <main id="main" ref={main} tabIndex={-1}><View /></main>
      <Footer />
      <SelectionBar />
      {current.value && <PlayerBar />}
      <Notices />
      {tracksToAdd.value && <AddDialog />}
      {keysShown.value && <KeysDialog />}
      {awaitingConsent.value && <ConsentDialog />}
    </div>
  );
}
