// The shell: header, the view of the URL, player bar, notices.

import { lazy, Suspense } from 'preact/compat';
import { useEffect, useRef } from 'preact/hooks';
import type { ComponentType } from 'preact';
import { session } from '../calls/session';
import { tracksToAdd } from '../collections/selection';
import { PlayerBar } from '../player/bar';
import { current } from '../player/player';
import { keysShown } from '../player/keys';
import { Modes, SearchBox } from '../search/box';
import { SelectionBar, Waiting } from '../search/list';
import { SearchView } from '../search/view';
import { CategoryView, ArtistView, TagView } from '../tracks/entity_views';
import { TrackView } from '../tracks/track_view';
import { Icon } from './icons';
import { Missing } from './missing';
import { dismiss, notices } from './notices';
import { address } from './router';
import { LANGUAGES, language, pickLanguage, t } from './texts';
import type { Language } from './texts';

const CollectionsView = lazy(() => import('../collections/list_view').then((loaded) => loaded.CollectionsView));
const CollectionView = lazy(() => import('../collections/collection_view').then((loaded) => loaded.CollectionView));
const AddDialog = lazy(() => import('../collections/add_dialog').then((loaded) => loaded.AddDialog));
const AccountView = lazy(() => import('../account/account_view').then((loaded) => loaded.AccountView));
const SignView = lazy(() => import('../account/sign_view').then((loaded) => loaded.SignView));
const KeysDialog = lazy(() => import('../player/keys_dialog').then((loaded) => loaded.KeysDialog));

type View = ComponentType<{ parts: string[] }>;

/** First path segment, number of further segments, view. */
const VIEWS: [string, number, View][] = [
  ['tracks', 1, TrackView],
  ['artists', 1, ArtistView],
  ['tags', 2, TagView],
  ['categories', 1, CategoryView],
  ['collections', 0, CollectionsView],
  ['collections', 1, CollectionView],
  ['account', 0, AccountView],
  ['sign-in', 0, SignView],
  ['sign-up', 0, SignView],
];

function viewOf(path: string): { View: View | null; parts: string[] } {
  let parts: string[];
  try {
    parts = path.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return { View: null, parts: [] };
  }
  if (parts.length === 0) return { View: SearchView, parts };
  const found = VIEWS.find(([name, more]) => name === parts[0] && more === parts.length - 1);
  return { View: found?.[2] ?? null, parts };
}

function Header() {
  const account = session.value?.account;
  return (
    <header class="head">
      <a class="brand" href="/" aria-label={t('brand.home')}>
        <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><circle cx="10" cy="13" r="8.500" /><circle cx="10" cy="13" r="2" /><path d="M20 3v9l-5 4" /></svg>
        <span>Tonearm</span>
      </a>
      <SearchBox />
      <Modes />
      <nav class="site-nav" aria-label={t('nav.label')}>
        <a href="/collections" aria-label={t('nav.collections')}><Icon name="list" /><span>{t('nav.collections')}</span></a>
        <a class="wide-only" href="/docs"><span>{t('nav.docs')}</span></a>
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

export function App() {
  const { View, parts } = viewOf(address.value.pathname);
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const path = address.value.pathname;
  useEffect(() => {
    // Moves the focus to the top of a new view for screen readers, unless the person is typing in the search box.
    if (!first.current && document.activeElement?.id !== 'search-box') main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [path]);
  return (
    <div class="shell" data-bar={current.value ? 'shown' : undefined}>
      <a class="skip" href="#main">{t('nav.skip')}</a>
      <Header />
      <main id="main" ref={main} tabIndex={-1}>
        <Suspense fallback={<Waiting rows={4} />}>{View ? <View key={parts.length > 0 ? path : '/'} parts={parts} /> : <Missing />}</Suspense>
      </main>
      <Footer />
      <SelectionBar />
      <PlayerBar />
      <Notices />
      <Suspense fallback={null}>
        {tracksToAdd.value && <AddDialog />}
        {keysShown.value && <KeysDialog />}
      </Suspense>
    </div>
  );
}
